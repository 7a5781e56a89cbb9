import * as z from 'zod/mini'
import { textField } from '../../shared/routing/search-fields.ts'
import { pageParameter } from '../../shared/table/paging.ts'

/**
 * `?tab=other`, `?q=quota` for what was searched for, and `&history=SystemName` (or `all`) for what has been changed. A tab
 * nobody knows is the first one. After `#` stands a section or a setting, to which the page scrolls.
 */
export const settingSearchSchema = z.object({
  tab: textField(),
  q: textField(),
  history: textField(),
  /** Page of the history. */
  p: pageParameter,
})

/** Instead of a key: the changes of every setting. */
export const ALL_KEYS = 'all'
