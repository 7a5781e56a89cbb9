import * as z from 'zod/mini'
import { choiceField, numberField, textField } from '../../shared/routing/search-fields.ts'
import { pageParameter } from '../../shared/table/paging.ts'

export const profileTabs = ['profile', 'tokens', 'calls', 'balance'] as const
export type ProfileTab = (typeof profileTabs)[number]

/** `?keyword=lin&group=vip&role=10&status=1&p=2`, and `&user=7&tab=calls` for the drawer of one user. */
export const userSearchSchema = z.object({
  keyword: textField(),
  group: textField(),
  /** 1, 10 or 100; 0 means every role. */
  role: numberField(),
  /** 1 enabled, 2 disabled, 3 deactivated; 0 means every status. */
  status: numberField({ max: 3 }),
  p: pageParameter,
  /** The id of the user whose drawer is open; 0: none. */
  user: numberField(),
  tab: choiceField(profileTabs, 'profile'),
  /** The id of the user whose form is open; 0: none. */
  edit: numberField(),
})
export type UserSearch = z.output<typeof userSearchSchema>
