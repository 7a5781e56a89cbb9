import * as z from 'zod/mini'
import { textField } from '../../shared/routing/search-fields.ts'
import { pageParameter } from '../../shared/table/paging.ts'

/**
 * `?tab=other`, `?q=quota` for a search, and `&history=SystemName` (or `all`) for the history of changes. An
 * unknown tab is read as the first one. The part after `#` names a section or a setting, to which the page
 * scrolls.
 */
export const settingSearchSchema = z.object({
  tab: textField(),
  q: textField(),
  history: textField(),
  /** Page of the history. */
  p: pageParameter,
})

/** Used instead of a setting's key: shows the changes of every setting. */
export const ALL_KEYS = 'all'
