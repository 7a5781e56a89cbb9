import { z } from 'zod'
import { pageParameter } from '../../shared/table/paging.ts'

export const profileTabs = ['profile', 'tokens', 'calls', 'balance'] as const
export type ProfileTab = (typeof profileTabs)[number]

/** `?keyword=lin&group=vip&role=10&status=1&p=2`, and `&user=7&tab=calls` for the drawer of one user. */
export const userSearchSchema = z.object({
  keyword: z.string().catch(''),
  group: z.string().catch(''),
  /** 1, 10 or 100; 0 every one. */
  role: z.coerce.number().int().catch(0),
  /** 1 enabled, 2 disabled, 3 deactivated; 0 every one. */
  status: z.coerce.number().int().min(0).max(3).catch(0),
  p: pageParameter,
  /** Whose drawer is open; 0 nobody's. */
  user: z.coerce.number().int().min(0).catch(0),
  tab: z.enum(profileTabs).catch('profile'),
  /** Whose form is open; 0 nobody's. */
  edit: z.coerce.number().int().min(0).catch(0),
})
export type UserSearch = z.output<typeof userSearchSchema>
