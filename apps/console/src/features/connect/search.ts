import * as z from 'zod/mini'
import { numberField, textField } from '../../shared/routing/search-fields.ts'

const ID_CHARACTERS_MAX = 40
const MODEL_CHARACTERS_MAX = 255

/** `?client=codex&variant=websocket&token=3&model=gpt-5.2`; what is missing is suggested. */
export const connectSearchSchema = z.object({
  client: textField(ID_CHARACTERS_MAX),
  variant: textField(ID_CHARACTERS_MAX),
  token: numberField(),
  model: textField(MODEL_CHARACTERS_MAX),
})
