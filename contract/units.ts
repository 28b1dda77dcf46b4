/** Branded numbers: a value of one unit cannot be passed where another is meant. A brand exists only in types. */

declare const brand: unique symbol
type Branded<Name extends string> = number & { readonly [brand]: Name }

export type Milliseconds = Branded<'Milliseconds'>
/** Whole bytes. Sizes above 2^53 do not occur: the largest file a computer of today can hold is below it. */
export type Bytes = Branded<'Bytes'>

export const milliseconds = (value: number): Milliseconds => value as Milliseconds
export const bytes = (value: number): Bytes => value as Bytes
