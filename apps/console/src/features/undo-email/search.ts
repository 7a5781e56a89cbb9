import * as z from 'zod/mini'
import { textField } from '../../shared/routing/search-fields.ts'

/** `?token=…`: what the mailed link carries. */
export const undoEmailSearch = z.object({ token: textField(512) })
