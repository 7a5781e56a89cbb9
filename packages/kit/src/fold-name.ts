import { withLatinLetters } from './look-alikes.ts'

/** Letters that Unicode normalisation does not map to the Latin letter they resemble. */
const MORE: Readonly<Record<string, string>> = { ı: 'i', ȷ: 'j', ɡ: 'g', ɑ: 'a', ꞌ: '' }

/**
 * Returns the same key for every spelling under which some upstream might read a member: `max_tokens`,
 * `maxTokens`, `Max-Tokens`, `MAX_TOKENЅ` with a Cyrillic letter, `ｍax_tokens` in full width, and names with
 * invisible characters.
 */
export function foldName(name: string): string {
  if (isPlain(name)) return name.toLowerCase().replaceAll(ASCII_JOINTS, '')
  const decomposed = name.normalize('NFKD').toLowerCase().normalize('NFKD')
  return withLatinLetters(decomposed)
    .replaceAll(/[ıȷɡɑꞌ]/g, (letter) => MORE[letter] ?? letter)
    .replaceAll(JOINTS, '')
}

export function isPlain(name: string): boolean {
  return PLAIN.test(name)
}

const PLAIN = /^[\x20-\x7e]*$/
const ASCII_JOINTS = /[_\-. ]/g
/** Word separators, combining marks and invisible characters. */
const JOINTS = /[\p{Pc}\p{Pd}\p{Z}\p{M}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}.]/gu
