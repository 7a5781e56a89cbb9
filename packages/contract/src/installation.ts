import { z } from 'zod'
import { unixSecondsSchema } from './envelope.ts'
import { defineRoute, siteBodyless, siteReading } from './route.ts'

/** Whether the database is the original, or a copy that does nothing outside of itself. */

export const copyCauses = ['restored', 'moved', 'imported', 'marked', 'other-installation'] as const

export const installationSchema = z.object({
  is_confirmed: z.boolean(),
  /** Why it counts as a copy; "" when it does not. */
  cause: z.enum([...copyCauses, '']),
  /** Since when; 0 when it does not. */
  since_time: unixSecondsSchema,
})
export type InstallationState = z.infer<typeof installationSchema>

export const installationRoutes = {
  read: defineRoute({
    ...siteReading,
    path: '/api/installation',
    summary: 'Whether this database is the original, or a copy that nobody has confirmed',
    data: installationSchema,
  }),
  confirm: defineRoute({
    ...siteBodyless,
    access: 'root',
    signIn: 'recent',
    method: 'POST',
    path: '/api/installation/confirm',
    summary:
      'Confirms that this database is the original from now on; backups, log sinks, mails and webhooks begin',
    data: installationSchema,
  }),
} as const
