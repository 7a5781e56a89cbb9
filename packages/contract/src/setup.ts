import { z } from 'zod'
import { formTextSchema } from './account-rules.ts'
import { anonymousWriting, defineRoute, publicReading } from './route.ts'

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

export const setupRoutes = {
  read: defineRoute({
    ...publicReading,
    path: '/api/setup',
    summary: 'Whether the setup is complete',
    data: setupStateSchema,
  }),
  run: defineRoute({
    ...anonymousWriting,
    method: 'POST',
    path: '/api/setup',
    badBodyStatus: 400,
    summary: 'Completes the setup: creates the super admin; works once',
    body: setupBodySchema,
    data: z.null(),
  }),
}
