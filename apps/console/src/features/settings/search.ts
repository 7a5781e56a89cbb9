import { z } from 'zod'
import { pageParameter } from '../../shared/table/paging.ts'

/** `?tab=other`, and `&history=SystemName` (or `all`) for what has been changed. A tab nobody knows is the first one. */
export const settingSearchSchema = z.object({
  tab: z.string().catch(''),
  history: z.string().catch(''),
  /** Page of the history. */
  p: pageParameter,
})

/** Instead of a key: the changes of every setting. */
export const ALL_KEYS = 'all'
