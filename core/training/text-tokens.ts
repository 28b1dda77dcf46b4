import { AppError } from '../../contract/error.ts'
import type { TextData } from './labs.ts'

/** More symbols than this make the embedding larger than the network. */
const largestAlphabet = 4096

/** Characters as indices into the text's own sorted alphabet, by code point. @throws AppError DATA_INVALID for an empty text or too many symbols */
export function textTokens(text: string): TextData {
  const characters = Array.from(text)
  const alphabet = [...new Set(characters)].sort((a, b) => (a.codePointAt(0) ?? 0) - (b.codePointAt(0) ?? 0))
  if (characters.length === 0) throw new AppError('DATA_INVALID', 'The text is empty; choose a file with at least a few thousand characters.')
  if (alphabet.length > largestAlphabet) {
    throw new AppError('DATA_INVALID', `The text uses ${alphabet.length} different characters, but at most ${largestAlphabet} are allowed; choose plain text.`)
  }
  const index = new Map(alphabet.map((character, i) => [character, i]))
  return { kind: 'text', tokens: Int32Array.from(characters, (character) => index.get(character) ?? 0), symbols: alphabet.length }
}
