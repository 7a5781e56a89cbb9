import { z } from 'zod'
import { formTextSchema } from './account-rules.ts'
import { anonymousWriting, defineRoute, nothing, ownBodyless, ownReading, siteWriting } from './route.ts'

/**
 * Codes and links by email. A visitor gets the same response whether an address is known or not. If the
 * CAPTCHA check is on, its token is in the query parameter `turnstile`.
 */

const addressed = z.object({
  email: z.string().max(320).default(''),
  turnstile: z.string().max(4096).default(''),
})

export const mailRoutes = {
  /** A GET, as in new-api. */
  sendCode: defineRoute({
    ...anonymousWriting,
    signIn: 'recent',
    method: 'GET',
    path: '/api/verification',
    summary: 'Mails a verification code, for registration or for linking an address',
    query: addressed,
    body: nothing,
    data: z.null(),
  }),
  sendResetLink: defineRoute({
    ...anonymousWriting,
    method: 'GET',
    path: '/api/reset_password',
    summary: 'Mails a password reset link',
    query: addressed,
    body: nothing,
    data: z.null(),
  }),
  resetPassword: defineRoute({
    ...anonymousWriting,
    method: 'POST',
    path: '/api/user/reset',
    summary: 'Sets a new password with the token of the link; without `password` generates and returns one',
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
    ...ownReading,
    changesState: true,
    signIn: 'recent',
    path: '/api/oauth/email/bind',
    rate: 'critical',
    summary: 'Links the address that the code was sent to while signed in; `message` is empty',
    query: z.object({ email: z.string().max(320).default(''), code: formTextSchema.default('') }),
    data: z.null(),
  }),
  unbindEmail: defineRoute({
    ...ownBodyless,
    signIn: 'recent',
    method: 'DELETE',
    path: '/api/oauth/email',
    summary: 'Unlinks the caller’s address',
    data: z.null(),
  }),
  sendTest: defineRoute({
    ...siteWriting,
    method: 'POST',
    path: '/api/mail/test',
    access: 'root',
    rate: 'probe',
    summary: 'Sends a test mail with the stored settings and returns the mail server’s response',
    /** Empty: send to the caller’s own address. */
    body: z.object({ to: z.string().max(320).default('') }),
    data: z.object({ to: z.string(), response: z.string() }),
  }),
}
