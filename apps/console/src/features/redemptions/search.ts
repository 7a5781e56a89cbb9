import * as z from 'zod/mini'
import { numberField, textField } from '../../shared/routing/search-fields.ts'
import { pageParameter } from '../../shared/table/paging.ts'

/** Filter value, not a status: codes whose end has passed unused. */
export const ENDED = 4

/** `?keyword=spring&status=1&p=2` */
export const redemptionSearchSchema = z.object({
  keyword: textField(),
  /** 0 means every status. */
  status: numberField({ max: ENDED }),
  p: pageParameter,
})
export type RedemptionSearch = z.output<typeof redemptionSearchSchema>
