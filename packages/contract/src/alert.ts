import { z } from 'zod'
import { unixSecondsSchema } from './envelope.ts'
import { defineRoute, nothing, siteReading, siteWriting } from './route.ts'

/** What is wrong now, and the receivers of alerts. */

export const ALERT_RECEIVERS = [
  'mail',
  'feishu',
  'dingtalk',
  'wecom',
  'slack',
  'telegram',
  'bark',
  'ntfy',
  'webhook',
] as const
export type AlertReceiver = (typeof ALERT_RECEIVERS)[number]

export const alertSchema = z.object({
  rule: z.string(),
  subject: z.string(),
  title: z.object({ en: z.string(), zh: z.string() }),
  since_time: unixSecondsSchema,
  /** False where the hourly limit was reached, or nobody receives alerts. */
  is_sent: z.boolean(),
})
export type OpenAlert = z.infer<typeof alertSchema>

export const alertRoutes = {
  list: defineRoute({
    ...siteReading,
    path: '/api/alert',
    summary: 'Open alerts, oldest first',
    data: z.array(alertSchema),
  }),
  test: defineRoute({
    ...siteWriting,
    method: 'POST',
    path: '/api/alert/test',
    access: 'root',
    rate: 'probe',
    summary: 'Sends a test message to every receiver that is set, and returns what each answered',
    body: nothing,
    data: z.array(z.object({ receiver: z.enum(ALERT_RECEIVERS), is_ok: z.boolean(), reason: z.string() })),
  }),
} as const
