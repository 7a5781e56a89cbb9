import { z } from 'zod'

/** Used as the message of a schema issue: the code of a problem that has its own text in the catalogue. */
export const CONTROL_CHARACTERS = 'text_has_control_characters'
export const NOT_AN_ID = 'id_invalid'

/**
 * Control characters, and characters that change the direction of the following text. Right-to-left names
 * need none of them.
 */
const CONTROLS = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu

export function hasControls(text: string): boolean {
  return text.search(CONTROLS) >= 0
}

export function withoutControls(text: string): string {
  return text.replace(CONTROLS, ' ').trim()
}

/** A name for people to read: surrounding whitespace is allowed, and invisible characters are not. */
export const nameText = (charactersMax: number) =>
  z
    .string()
    .max(charactersMax)
    .refine((text) => !hasControls(text.trim()), { error: CONTROL_CHARACTERS })
