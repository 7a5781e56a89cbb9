import * as z from 'zod/mini'
import { choiceField, textField } from '../../shared/routing/search-fields.ts'

/** `/login?expired=true&returnTo=/log?type=2` */
export const loginSearch = z.object({
  expired: choiceField(['true', ''], ''),
  /** Set after the user deleted their account. */
  deleted: choiceField(['true', ''], ''),
  returnTo: textField(),
  /** Set for a sign-in in a separate window, while the user's first window waits. */
  again: choiceField(['true', ''], ''),
})
