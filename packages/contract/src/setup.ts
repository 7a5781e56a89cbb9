import { z } from 'zod'
import { formTextSchema } from './account-rules.ts'
import { ANONYMOUS_BODY_BYTES_MAX, defineRoute, nothing } from './route.ts'

export const setupStateSchema = z.object({
  /** True once the setup is done. */
  status: z.boolean(),
  /** A super admin already exists, for example in an imported database; the setup then creates no account. */
  root_init: z.boolean(),
  database_type: z.enum(['sqlite', 'postgres', 'mysql', '']),
  /** The caller must send the setup token, which the gateway prints at start. */
  token_needed: z.boolean(),
})

export const setupBodySchema = z.object({
  username: formTextSchema.default(''),
  password: formTextSchema.default(''),
  confirmPassword: formTextSchema.default(''),
  SelfUseModeEnabled: z.boolean().default(false),
  DemoSiteEnabled: z.boolean().default(false),
  setup_token: formTextSchema.default(''),
})

const open = {
  access: 'public',
  owner: 'none',
  bodyBytesMax: ANONYMOUS_BODY_BYTES_MAX,
  isBillable: false,
  signIn: 'any',
} as const

export const setupRoutes = {
  read: defineRoute({
    ...open,
    method: 'GET',
    path: '/api/setup',
    rate: 'api',
    changesState: false,
    summary: 'Whether the setup is complete',
    params: nothing,
    query: nothing,
    body: nothing,
    data: setupStateSchema,
  }),
  run: defineRoute({
    ...open,
    method: 'POST',
    path: '/api/setup',
    badBodyStatus: 400,
    rate: 'critical',
    changesState: true,
    summary: 'Completes the setup: creates the super admin; works once',
    params: nothing,
    query: nothing,
    body: setupBodySchema,
    data: z.null(),
  }),
}
