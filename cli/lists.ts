import { InvalidArgumentError } from 'commander'

/** "a,b" as a list of words. */
export const words = (text: string): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')

/** "75,87.5" as a list of numbers. @throws for what is not one. */
export const numbers = (text: string): number[] => words(text).map(number)

/** One number with a decimal point. @throws for what is not one. */
export function number(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError(`"${text}" is not a number; write it like 75 or 87.5.`)
  return value
}
