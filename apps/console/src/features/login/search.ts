import * as z from 'zod/mini'
import { choiceField, textField } from '../../shared/routing/search-fields.ts'

/** `/login?expired=true&returnTo=/log?type=2` */
export const loginSearch = z.object({
  expired: choiceField(['true', ''], ''),
  /** Somebody has just deleted their account. */
  deleted: choiceField(['true', ''], ''),
  returnTo: textField(),
  /** In a window of its own, for somebody whose first window waits. */
  again: choiceField(['true', ''], ''),
})
