import { z } from 'zod'
import { formTextSchema } from './account-rules.ts'
import { ANONYMOUS_BODY_BYTES_MAX, CONSOLE_BODY_BYTES_MAX, defineRoute, nothing } from './route.ts'

/**
 * Codes and links by email. A visitor gets the same response whether an address is known or not. If the
 * CAPTCHA check is on, its token is in the query parameter `turnstile`.
 */

const own = {
  access: 'user',
  owner: 'self',
  bodyBytesMax: ANONYMOUS_BODY_BYTES_MAX,
  changesState: true,
  isBillable: false,
  signIn: 'any',
  params: nothing,
} as const

const addressed = z.object({
  email: z.string().max(320).default(''),
  turnstile: z.string().max(4096).default(''),
})

const anonymous = {
  access: 'public',
  owner: 'none',
  rate: 'critical',
  bodyBytesMax: ANONYMOUS_BODY_BYTES_MAX,
  changesState: true,
  isBillable: false,
  signIn: 'any',
  params: nothing,
} as const

export const mailRoutes = {
  /** A GET, as in new-api. */
  sendCode: defineRoute({
    ...anonymous,
    signIn: 'recent',
    method: 'GET',
    path: '/api/verification',
    summary: 'Mails a verification code, for registration or for linking an address',
    query: addressed,
    body: nothing,
    data: z.null(),
  }),
  sendResetLink: defineRoute({
    ...anonymous,
    method: 'GET',
    path: '/api/reset_password',
    summary: 'Mails a password reset link',
    query: addressed,
    body: nothing,
    data: z.null(),
  }),
  resetPassword: defineRoute({
    ...anonymous,
    method: 'POST',
    path: '/api/user/reset',
    summary: 'Sets a new password with the token of the link; without `password` generates and returns one',
    query: nothing,
    body: z.object({
      email: z.string().max(320).default(''),
      token: formTextSchema.default(''),
      password: formTextSchema.optional(),
    }),
    /** The generated password, or "". */
    data: z.string(),
  }),
  /** A GET, as in new-api. */
  bindEmail: defineRoute({
    ...own,
    signIn: 'recent',
    method: 'GET',
    path: '/api/oauth/email/bind',
    rate: 'critical',
    summary: 'Links the address that the code was sent to while signed in; `message` is empty',
    query: z.object({ email: z.string().max(320).default(''), code: formTextSchema.default('') }),
    body: nothing,
    data: z.null(),
  }),
  unbindEmail: defineRoute({
    ...own,
    signIn: 'recent',
    method: 'DELETE',
    path: '/api/oauth/email',
    rate: 'api',
    summary: 'Unlinks the caller’s address',
    query: nothing,
    body: nothing,
    data: z.null(),
  }),
  sendTest: defineRoute({
    method: 'POST',
    path: '/api/mail/test',
    access: 'root',
    owner: 'site',
    rate: 'probe',
    bodyBytesMax: CONSOLE_BODY_BYTES_MAX,
    changesState: true,
    isBillable: false,
    signIn: 'any',
    params: nothing,
    query: nothing,
    summary: 'Sends a test mail with the stored settings and returns the mail server’s response',
    /** Empty: send to the caller’s own address. */
    body: z.object({ to: z.string().max(320).default('') }),
    data: z.object({ to: z.string(), response: z.string() }),
  }),
}
