import * as z from 'zod/mini'
import { textField } from '../../shared/routing/search-fields.ts'

/**
 * `?email=ada%40example.com&token=…`: parameters of the emailed link. Without them, the page asks for an
 * address.
 */
export const resetSearch = z.object({
  email: textField(320),
  token: textField(512),
})
