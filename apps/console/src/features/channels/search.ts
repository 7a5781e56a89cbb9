import { z } from 'zod'
import { pageParameter } from '../../shared/table/paging.ts'

/** `?keyword=azure&group=vip&model=gpt-4o&status=1&p=2` */
export const channelSearchSchema = z.object({
  keyword: z.string().catch(''),
  group: z.string().catch(''),
  model: z.string().catch(''),
  /** 1 enabled, 2 disabled, 3 disabled automatically; 0 every one. */
  status: z.coerce.number().int().min(0).max(3).catch(0),
  p: pageParameter,
})
export type ChannelSearch = z.output<typeof channelSearchSchema>
