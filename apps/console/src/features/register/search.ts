import * as z from 'zod/mini'
import { textField } from '../../shared/routing/search-fields.ts'

/** `/register?aff=x7QdAb2k` is the invitation link. */
export const registerSearch = z.object({ aff: textField(64) })
