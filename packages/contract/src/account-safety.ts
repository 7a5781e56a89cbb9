import { z } from 'zod'
import { formTextSchema } from './account-rules.ts'
import { unixSecondsSchema } from './envelope.ts'
import { queryInteger } from './query.ts'
import { anonymousWriting, defineRoute, ownBodyless, ownReading } from './route.ts'

/**
 * Notifications to owners about changes to how their account can be accessed, and the restoring of a changed
 * email address.
 */

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

/**
 * Who made the change: a user signed in to the account, an administrator, or a person with a link from an
 * email.
 */
export const changeAuthors = ['owner', 'administrator', 'mailed-link'] as const
export type ChangeAuthor = (typeof changeAuthors)[number]

/** Time within which a changed address can be restored. */
export const EMAIL_UNDO_HOURS = 24

export const accountNoticeSchema = z.object({
  id: z.int(),
  event: z.enum(accountEvents),
  by: z.enum(changeAuthors),
  /** Name of the sign-in provider, or "". */
  provider: z.string(),
  /** The address bound after the change, reduced to its first letter and domain, or "". */
  email: z.string(),
  /** IP address that the change came from; "" if an administrator made it. */
  address: z.string(),
  created_at: unixSecondsSchema,
})
export type AccountNotice = z.output<typeof accountNoticeSchema>

export const accountSafetyRoutes = {
  notices: defineRoute({
    ...ownReading,
    path: '/api/user/notices',
    summary: 'The caller’s account changes for which no mail could be sent, newest first',
    data: z.array(accountNoticeSchema),
  }),
  dismiss: defineRoute({
    ...ownBodyless,
    method: 'DELETE',
    path: '/api/user/notices',
    // Notices warn of an attack, so neither a script nor an old session may dismiss them.
    signIn: 'recent',
    summary: 'Dismisses these notices, up to the newest one that was shown',
    query: z.object({ up_to: queryInteger({ fallback: 0, min: 0, max: Number.MAX_SAFE_INTEGER }) }),
    data: z.null(),
  }),
  undoEmail: defineRoute({
    ...anonymousWriting,
    method: 'POST',
    path: '/api/user/email/undo',
    summary:
      'Restores an e-mail address with the link that was mailed to it; ends every session and the access token',
    body: z.object({ token: formTextSchema.default('') }),
    /** The restored address. */
    data: z.object({ email: z.string() }),
  }),
}
