import { withLatinLetters } from '@tollgate/kit/look-alikes'

/** Letters that no normal form turns into the Latin letter they stand for. */
const MORE: Readonly<Record<string, string>> = { ı: 'i', ȷ: 'j', ɡ: 'g', ɑ: 'a', ꞌ: '' }

/**
 * One key for every spelling under which some upstream might read a member: `max_tokens`, `maxTokens`, `Max-Tokens`,
 * `MAX_TOKENЅ` with a Cyrillic letter, `ｍax_tokens` in full width, and with characters in it that nobody sees.
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
/** What joins words, marks upon letters, and what has no looks of its own. */
const JOINTS = /[\p{Pc}\p{Pd}\p{Z}\p{M}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}.]/gu
