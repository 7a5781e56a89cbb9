import * as z from 'zod/mini'
import { textField } from '../../../shared/routing/search-fields.ts'

/** `/pricing/model?name=gpt-4o&group=vip` */
export const modelSearch = z.object({ name: textField(), group: textField() })
