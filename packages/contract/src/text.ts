import { z } from 'zod'

/** What an issue says when the catalogue of problems has a text of its own for it: the code there. */
export const CONTROL_CHARACTERS = 'text_has_control_characters'
export const NOT_AN_ID = 'id_invalid'

/** A name that people read: spaces around it do not matter, and within it everything can be seen. */
export const nameText = (charactersMax: number) =>
  z
    .string()
    .max(charactersMax)
    .refine((text) => !/\p{Cc}/u.test(text.trim()), { error: CONTROL_CHARACTERS })
