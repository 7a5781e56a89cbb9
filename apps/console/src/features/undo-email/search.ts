import * as z from 'zod/mini'
import { textField } from '../../shared/routing/search-fields.ts'

/** `?token=…`, from the emailed link. */
export const undoEmailSearch = z.object({ token: textField(512) })
