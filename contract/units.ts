/** Branded numbers: a value of one unit cannot be passed where another is meant. A brand exists only in types. */

declare const brand: unique symbol
type Branded<Name extends string> = number & { readonly [brand]: Name }

/** A share between 0 and 1. */
export type Fraction = Branded<'Fraction'>
/** A share between 0 and 100. */
export type Percent = Branded<'Percent'>
export type Milliseconds = Branded<'Milliseconds'>
export type Seconds = Branded<'Seconds'>
/** Whole bytes. Sizes above 2^53 do not occur: the largest file a computer of today can hold is below it. */
export type Bytes = Branded<'Bytes'>

export const fraction = (value: number): Fraction => value as Fraction
export const percent = (value: number): Percent => value as Percent
export const milliseconds = (value: number): Milliseconds => value as Milliseconds
export const seconds = (value: number): Seconds => value as Seconds
export const bytes = (value: number): Bytes => value as Bytes

export const percentOf = (share: Fraction): Percent => percent(share * 100)
export const fractionOf = (share: Percent): Fraction => fraction(share / 100)
