import { z } from 'zod'
import { EMAIL_CHARACTERS_MAX, formTextSchema } from './account-rules.ts'
import { anonymousWriting, defineRoute, ownReading } from './route.ts'
import { humanCheckQuery } from './human-check.ts'
import { selfSchema } from './user.ts'

/** The name is a user name or an email address. */
export const loginBodySchema = z.object({ username: formTextSchema, password: formTextSchema })

/**
 * `password2` is the repeated password, where a form has it. Unknown members sent by older consoles are
 * dropped.
 */
export const registerBodySchema = z.object({
  username: formTextSchema,
  password: formTextSchema,
  password2: formTextSchema.optional(),
  email: z.string().max(EMAIL_CHARACTERS_MAX).default(''),
  verification_code: formTextSchema.default(''),
  aff_code: z
    .string()
    .max(64)
    .nullish()
    .transform((code) => code ?? ''),
})

export const sessionRoutes = {
  login: defineRoute({
    ...anonymousWriting,
    method: 'POST',
    path: '/api/user/login',
    summary: 'Signs in with a password and starts a session',
    query: humanCheckQuery,
    body: loginBodySchema,
    data: selfSchema,
  }),
  register: defineRoute({
    ...anonymousWriting,
    method: 'POST',
    path: '/api/user/register',
    summary: 'Creates an account with a password; does not sign in',
    query: humanCheckQuery,
    body: registerBodySchema,
    data: z.null(),
  }),
  /**
   * A GET, as in new-api. With a session it needs the user header and a same-origin caller, like any other
   * change.
   */
  logout: defineRoute({
    ...ownReading,
    access: 'public',
    changesState: true,
    path: '/api/user/logout',
    summary: 'Ends the session',
    data: z.null(),
  }),
}
