import { z } from 'zod'
import { formTextSchema } from './account-rules.ts'
import { unixSecondsSchema } from './envelope.ts'
import { queryInteger } from './query.ts'
import { ANONYMOUS_BODY_BYTES_MAX, defineRoute, nothing, usualReading, usualWriting } from './route.ts'

/** What owners are told when somebody changed how their account is reached, and how a changed address is restored. */

export const accountEvents = [
  'email_bound',
  'email_changed',
  'email_removed',
  'email_restored',
  'password_changed',
  'access_token_made',
  'sign_in_bound',
  'sign_in_unbound',
] as const
export type AccountEvent = (typeof accountEvents)[number]

/** Who changed it: somebody signed in to the account, an administrator, or whoever had a mailed link. */
export const changeAuthors = ['owner', 'administrator', 'mailed-link'] as const
export type ChangeAuthor = (typeof changeAuthors)[number]

/** For how long a changed address can be restored. */
export const EMAIL_UNDO_HOURS = 24

export const accountNoticeSchema = z.object({
  id: z.int(),
  event: z.enum(accountEvents),
  by: z.enum(changeAuthors),
  /** The name of the sign-in provider, or "". */
  provider: z.string(),
  /** The address that is bound now, its first letter and domain only, or "". */
  email: z.string(),
  /** The network address that it came from; "" of an administrator's. */
  address: z.string(),
  created_at: unixSecondsSchema,
})
export type AccountNotice = z.output<typeof accountNoticeSchema>

const own = { access: 'user', owner: 'self' } as const

export const accountSafetyRoutes = {
  notices: defineRoute({
    ...usualReading,
    ...own,
    path: '/api/user/notices',
    summary: 'Changes of the caller’s account that could not be told by mail, newest first',
    data: z.array(accountNoticeSchema),
  }),
  dismiss: defineRoute({
    ...usualWriting,
    ...own,
    method: 'DELETE',
    path: '/api/user/notices',
    // Neither a script nor an old session hides what was done.
    signIn: 'recent',
    bodyBytesMax: ANONYMOUS_BODY_BYTES_MAX,
    summary: 'Dismisses those notices, up to the newest one that was shown',
    query: z.object({ up_to: queryInteger({ fallback: 0, min: 0, max: Number.MAX_SAFE_INTEGER }) }),
    body: nothing,
    data: z.null(),
  }),
  undoEmail: defineRoute({
    ...usualWriting,
    access: 'public',
    owner: 'none',
    rate: 'critical',
    method: 'POST',
    path: '/api/user/email/undo',
    bodyBytesMax: ANONYMOUS_BODY_BYTES_MAX,
    summary: 'Restores an address by the link that was mailed to it; ends every session and the access token',
    body: z.object({ token: formTextSchema.default('') }),
    /** The address that is bound again. */
    data: z.object({ email: z.string() }),
  }),
}
