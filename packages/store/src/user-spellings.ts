import { withLatinLetters } from '@tollgate/kit/look-alikes'

/** Spellings that count as one, so that nobody can pass for somebody else: `Ａlice` and `alice` are one name, and so is what looks like it in Cyrillic or Greek letters. */
export function usernameKey(username: string): string {
  return withLatinLetters(username.normalize('NFKC').toLowerCase())
}

/** As an address is stored and sought. */
export function normalEmail(email: string): string {
  return email.trim().normalize('NFKC').toLowerCase()
}
