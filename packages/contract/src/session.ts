import { z } from 'zod'
import { EMAIL_CHARACTERS_MAX, formTextSchema } from './account-rules.ts'
import { ANONYMOUS_BODY_BYTES_MAX, defineRoute, nothing } from './route.ts'
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

const anonymous = {
  access: 'public',
  owner: 'none',
  bodyBytesMax: ANONYMOUS_BODY_BYTES_MAX,
  changesState: true,
  isBillable: false,
  signIn: 'any',
  params: nothing,
} as const

export const sessionRoutes = {
  login: defineRoute({
    ...anonymous,
    method: 'POST',
    path: '/api/user/login',
    rate: 'critical',
    summary: 'Signs in with a password and starts a session',
    query: humanCheckQuery,
    body: loginBodySchema,
    data: selfSchema,
  }),
  register: defineRoute({
    ...anonymous,
    method: 'POST',
    path: '/api/user/register',
    rate: 'critical',
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
    ...anonymous,
    method: 'GET',
    path: '/api/user/logout',
    owner: 'self',
    rate: 'api',
    summary: 'Ends the session',
    query: nothing,
    body: nothing,
    data: z.null(),
  }),
}
