import * as z from 'zod/mini'
import { textField } from '../../shared/routing/search-fields.ts'
import { pageParameter } from '../../shared/table/paging.ts'

/** `?code=8f14…` comes from a shop's link; `month` is the month whose statement is open. */
export const walletSearchSchema = z.object({
  code: textField(),
  p: pageParameter,
  month: z.catch(z.string().check(z.regex(/^(20\d\d-(0[1-9]|1[0-2]))?$/)), ''),
})
