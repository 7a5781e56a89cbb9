import { withLatinLetters } from '@tollgate/kit/look-alikes'

/**
 * Spellings that count as one name, so that nobody can impersonate another user: `Ａlice` and `alice` are the
 * same, and so is a name that looks alike in Cyrillic or Greek letters.
 */
export function usernameKey(username: string): string {
  return withLatinLetters(username.normalize('NFKC').toLowerCase())
}

/** The form in which an address is stored and searched. */
export function normalEmail(email: string): string {
  return email.trim().normalize('NFKC').toLowerCase()
}
