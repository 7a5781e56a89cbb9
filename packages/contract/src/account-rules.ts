import { z } from 'zod'
import { hasControls } from './text.ts'

/** Lengths are counted in characters, not bytes; the console shows the same numbers. */
export const USERNAME_CHARACTERS_MAX = 12
export const PASSWORD_CHARACTERS_MIN = 8
export const PASSWORD_CHARACTERS_MAX = 20
export const DISPLAY_NAME_CHARACTERS_MAX = 20
export const EMAIL_CHARACTERS_MAX = 50

/** What old releases of the family were delivered with; an imported database may still have it. */
export const DEFAULT_PASSWORD = '123456'

/** Nothing that cannot be seen; no @, so that a name is never somebody's e-mail address. */
const USERNAME = /^[^\s@\p{C}\p{Default_Ignorable_Code_Point}\u2800]+$/u

/** Scripts with letters that look like those of another: a name is written in one of them. */
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

/** One plain address, so that it can be read as one wherever it stands; nothing in it ends a header. */
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/

/** In its normal form: one person's address is one text. */
export const emailSchema = z
  .string()
  .max(EMAIL_CHARACTERS_MAX * 4)
  .transform((text) => text.trim().normalize('NFKC').toLowerCase())
  .refine((text) => text.length <= EMAIL_CHARACTERS_MAX && EMAIL.test(text))

/** Names, passwords and texts of a sign-in form before they are judged: only their size is limited. */
export const formTextSchema = z.string().max(512)

/** Code points: an emoji counts once. */
export function characters(text: string): number {
  return Array.from(text).length
}
