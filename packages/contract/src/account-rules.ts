import { z } from 'zod'
import { hasControls } from './text.ts'

/**
 * Limits of account names, passwords and email addresses. Lengths count characters, not bytes; the console
 * shows the same limits.
 */
export const USERNAME_CHARACTERS_MAX = 12
export const PASSWORD_CHARACTERS_MIN = 8
export const PASSWORD_CHARACTERS_MAX = 20
export const DISPLAY_NAME_CHARACTERS_MAX = 20
export const EMAIL_CHARACTERS_MAX = 50

/**
 * The password that old releases of one-api and its forks were delivered with; an imported database may still
 * have it.
 */
export const DEFAULT_PASSWORD = '123456'

/** No invisible characters, and no @, so that a name can never be another person's email address. */
const USERNAME = /^[^\s@\p{C}\p{Default_Ignorable_Code_Point}\u2800]+$/u

/** Scripts with letters that look alike. A name may use only one of them. */
const ALIKE_SCRIPTS = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Cherokee}/u,
]

export const usernameSchema = z
  .string()
  .trim()
  .regex(USERNAME)
  .refine((name) => characters(name) <= USERNAME_CHARACTERS_MAX)
  .refine((name) => ALIKE_SCRIPTS.filter((script) => script.test(name)).length <= 1)

export const passwordSchema = z
  .string()
  .refine((password) => characters(password) >= PASSWORD_CHARACTERS_MIN)
  .refine((password) => characters(password) <= PASSWORD_CHARACTERS_MAX)

export const displayNameSchema = z
  .string()
  .trim()
  .refine((name) => !hasControls(name))
  .refine((name) => characters(name) <= DISPLAY_NAME_CHARACTERS_MAX)

/**
 * A single plain address. The pattern contains no character with a special meaning in headers, so the text
 * cannot be read as several addresses or end a header.
 */
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/

/** Normalised, so that each address has exactly one text form. */
export const emailSchema = z
  .string()
  .max(EMAIL_CHARACTERS_MAX * 4)
  .transform((text) => text.trim().normalize('NFKC').toLowerCase())
  .refine((text) => text.length <= EMAIL_CHARACTERS_MAX && EMAIL.test(text))

/** Names, passwords and other texts of a sign-in form before validation: only their size is limited. */
export const formTextSchema = z.string().max(512)

/** Counts code points: an emoji counts once. */
export function characters(text: string): number {
  return Array.from(text).length
}
