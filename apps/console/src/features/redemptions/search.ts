import { z } from 'zod'
import { pageParameter } from '../../shared/table/paging.ts'

/** `?keyword=spring&status=1&p=2` */
export const redemptionSearchSchema = z.object({
  keyword: z.string().catch(''),
  /** 0: any. */
  status: z.coerce.number().int().min(0).max(3).catch(0),
  p: pageParameter,
})
export type RedemptionSearch = z.output<typeof redemptionSearchSchema>
