import { z } from 'zod'
import { RECEIVER_KINDS, receiverFieldsSchema, receiverNameSchema } from './alert-receivers.ts'
import { unixSecondsSchema } from './envelope.ts'
import { defineRoute, nothing, siteBodyless, siteReading, siteWriting } from './route.ts'

/** What is wrong now, and the receivers of alerts. */

export const alertSchema = z.object({
  rule: z.string(),
  subject: z.string(),
  title: z.object({ en: z.string(), zh: z.string() }),
  since_time: unixSecondsSchema,
  /** False where the hourly limit was reached, or nobody receives alerts. */
  is_sent: z.boolean(),
})
export type OpenAlert = z.infer<typeof alertSchema>

export const receiverSchema = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(RECEIVER_KINDS),
  /** Without secrets. */
  fields: receiverFieldsSchema,
  /** Names of the secret fields that are stored. */
  secrets: z.array(z.string()),
  /** False where something is missing: a field, or the mail server. */
  is_ready: z.boolean(),
})
export type Receiver = z.infer<typeof receiverSchema>

const receiverParams = z.object({ id: z.string().max(40) })

export const alertRoutes = {
  list: defineRoute({
    ...siteReading,
    path: '/api/alert',
    summary: 'Open alerts, oldest first',
    data: z.array(alertSchema),
  }),
  receivers: defineRoute({
    ...siteReading,
    path: '/api/alert/receiver',
    access: 'root',
    summary: 'Receivers of alerts, without their secrets',
    data: z.array(receiverSchema),
  }),
  createReceiver: defineRoute({
    ...siteWriting,
    method: 'POST',
    path: '/api/alert/receiver',
    access: 'root',
    signIn: 'recent',
    isRepeatable: true,
    summary: 'Adds a receiver of alerts',
    body: z.object({ name: receiverNameSchema, kind: z.enum(RECEIVER_KINDS), fields: receiverFieldsSchema }),
    data: receiverSchema,
  }),
  updateReceiver: defineRoute({
    ...siteWriting,
    method: 'PUT',
    path: '/api/alert/receiver/:id',
    access: 'root',
    signIn: 'recent',
    summary: 'Changes a receiver of alerts; secrets that are not sent are kept, and empty ones removed',
    params: receiverParams,
    body: z.object({ name: receiverNameSchema, fields: receiverFieldsSchema }),
    data: receiverSchema,
  }),
  removeReceiver: defineRoute({
    ...siteBodyless,
    method: 'DELETE',
    path: '/api/alert/receiver/:id',
    access: 'root',
    signIn: 'recent',
    summary: 'Removes a receiver of alerts',
    params: receiverParams,
    data: z.null(),
  }),
  testReceiver: defineRoute({
    ...siteWriting,
    method: 'POST',
    path: '/api/alert/receiver/:id/test',
    access: 'root',
    rate: 'probe',
    summary: 'Sends a test message to a receiver at once, and returns what it answered',
    params: receiverParams,
    body: nothing,
    data: z.object({ is_ok: z.boolean(), reason: z.string() }),
  }),
} as const
