import * as z from 'zod/mini'
import { textField } from '../../shared/routing/search-fields.ts'
import { pageParameter } from '../../shared/table/paging.ts'

/** `?keyword=laptop&p=2` */
export const tokenSearchSchema = z.object({
  keyword: textField(),
  p: pageParameter,
})
