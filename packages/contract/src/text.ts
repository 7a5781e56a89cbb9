import { z } from 'zod'

/** `params.problem` of an issue that has a text of its own in the catalogue of problems. */
export const CONTROL_CHARACTERS = 'text_has_control_characters'
export const NOT_AN_ID = 'id_invalid'

/** A name that people read: spaces around it do not matter, and within it everything can be seen. */
export const nameText = (charactersMax: number) =>
  z
    .string()
    .max(charactersMax)
    .refine((text) => !/\p{Cc}/u.test(text.trim()), { params: { problem: CONTROL_CHARACTERS } })
