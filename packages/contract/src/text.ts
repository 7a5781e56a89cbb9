import { z } from 'zod'

/** What an issue says when the catalogue of problems has a text of its own for it: the code there. */
export const CONTROL_CHARACTERS = 'text_has_control_characters'
export const NOT_AN_ID = 'id_invalid'

/** Control characters, and marks that turn the direction of everything after them. Right-to-left names need none. */
const CONTROLS = /[\p{Cc}\u202A-\u202E\u2066-\u2069]/gu

export function hasControls(text: string): boolean {
  return text.search(CONTROLS) >= 0
}

export function withoutControls(text: string): string {
  return text.replace(CONTROLS, ' ').trim()
}

/** A name that people read: spaces around it do not matter, and within it everything can be seen. */
export const nameText = (charactersMax: number) =>
  z
    .string()
    .max(charactersMax)
    .refine((text) => !hasControls(text.trim()), { error: CONTROL_CHARACTERS })
