import * as z from 'zod/mini'
import { numberField, textField } from '../../shared/routing/search-fields.ts'
import { pageParameter } from '../../shared/table/paging.ts'

/** `?keyword=spring&status=1&p=2` */
export const redemptionSearchSchema = z.object({
  keyword: textField(),
  /** 0 means every status. */
  status: numberField({ max: 3 }),
  p: pageParameter,
})
export type RedemptionSearch = z.output<typeof redemptionSearchSchema>
