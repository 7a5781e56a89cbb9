import { z } from 'zod'
import { defineRoute, publicReading } from './route.ts'

/** The public status page. */

export const STATUS_DAYS = 90

export const modelStatusSchema = z.object({
  model: z.string(),
  /** Share of served calls from 0 to 1 in all days; null without calls. */
  availability: z.number().nullable(),
  /** The same for each day, oldest first, today last. */
  days: z.array(z.number().nullable()),
})
export type ModelStatus = z.infer<typeof modelStatusSchema>

export const statusPageRoutes = {
  read: defineRoute({
    ...publicReading,
    path: '/api/status_page',
    summary: 'Availability by model in the last 90 days, where the operator shows it',
    data: z.object({
      is_enabled: z.boolean(),
      /** Markdown by the operator. */
      incidents: z.string(),
      /** The last of the days, as YYYY-MM-DD in UTC. */
      today: z.string(),
      models: z.array(modelStatusSchema),
    }),
  }),
  /** As in new-api, whose consoles show it on their dashboard. */
  uptime: defineRoute({
    ...publicReading,
    path: '/api/uptime/status',
    summary: 'Availability by model, in the format of new-api',
    data: z.array(
      z.object({
        categoryName: z.string(),
        monitors: z.array(
          z.object({
            name: z.string(),
            group: z.string(),
            /** From 0 to 1. */
            uptime: z.number(),
            /** 1 up, 0 down. */
            status: z.int(),
          }),
        ),
      }),
    ),
  }),
} as const
