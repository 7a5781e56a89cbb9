import { z } from 'zod'
import { pageParameter } from '../../shared/table/paging.ts'

/** `?keyword=laptop&p=2` */
export const tokenSearchSchema = z.object({
  keyword: z.string().catch(''),
  p: pageParameter,
})
