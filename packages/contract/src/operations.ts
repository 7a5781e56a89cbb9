import { z } from 'zod'
import { chargeNoteSchema } from './charge-notes.ts'
import { unixSecondsSchema } from './envelope.ts'
import { defineRoute, siteReading } from './route.ts'

/** What the gateway does now, over all its processes. */

export const nodeSchema = z.object({
  id: z.string(),
  host: z.string(),
  pid: z.int(),
  version: z.string(),
  started_time: unixSecondsSchema,
  /** Its last report. */
  seen_time: unixSecondsSchema,
  /** False when it has not reported for 30 seconds. */
  is_alive: z.boolean(),
  /** It runs the jobs that run once over all processes. */
  is_leader: z.boolean(),
  in_flight: z.int(),
  sockets: z.int(),
  calls_per_second: z.number(),
  failed_per_second: z.number(),
  p50_ms: z.number(),
  p95_ms: z.number(),
  queued: z.int(),
  journaled: z.int(),
  /** Accounts of which it has quota set aside. */
  allotments: z.int(),
  /** Age of the oldest line of its journal that is not in the database yet. */
  fold_lag_seconds: z.number(),
  /** Accounts of which it had counted other quota than was set aside for it, since its start. Each was mended. */
  allotments_mended: z.int(),
  /** `null` where the system does not tell. */
  memory_bytes: z.number().nullable(),
})
export type OperationsNode = z.infer<typeof nodeSchema>

export const operationsSchema = z.object({
  calls_per_second: z.number(),
  failed_per_second: z.number(),
  /** The largest of all processes. */
  p50_ms: z.number(),
  p95_ms: z.number(),
  in_flight: z.int(),
  sockets: z.int(),
  queued: z.int(),
  journaled: z.int(),
  allotments: z.int(),
  allotments_mended: z.int(),
  /** The largest of all processes. */
  fold_lag_seconds: z.number(),
  open_holds: z.int(),
  oldest_hold_seconds: z.number(),
  is_ledger_writable: z.boolean(),
  outbox_waiting: z.int(),
  audit_findings: z.int(),
  nodes: z.array(nodeSchema),
})
export type Operations = z.infer<typeof operationsSchema>

/** A request member that was taken out, or that the tables do not know. */
export const memberSightingSchema = z.object({
  /** Wire format of the request: `chat`, `messages`. */
  wire: z.string(),
  /** Path of the member: `reasoning.depth`. */
  member: z.string(),
  channel_id: z.int(),
  /** "" for a channel that was deleted. */
  channel_name: z.string(),
  provider: z.string(),
  /** The program that sent it last. */
  client: z.string(),
  client_version: z.string(),
  first_time: unixSecondsSchema,
  last_time: unixSecondsSchema,
  passed: z.int(),
  taken: z.int(),
  /** The operator lets it pass for every account. */
  is_harmless: z.boolean(),
})
export type MemberSightingRow = z.infer<typeof memberSightingSchema>

export const memberSightingsSchema = z.object({
  /** No table knows them. */
  unknown: z.array(memberSightingSchema),
  /** They choose a model, an address or a key. */
  taken: z.array(memberSightingSchema),
})

export const operationsRoutes = {
  charges: defineRoute({
    ...siteReading,
    path: '/api/operations/charges',
    summary: 'What was unusual about charges in the last 30 days, by kind, channel and model',
    data: z.array(chargeNoteSchema),
  }),
  members: defineRoute({
    ...siteReading,
    path: '/api/operations/members',
    summary: 'Members of requests of the last 30 days that no table knows, or that were taken out',
    data: memberSightingsSchema,
  }),
  read: defineRoute({
    ...siteReading,
    path: '/api/operations',
    summary: 'What the gateway does now: calls, errors, latency, holds, queues and processes',
    data: operationsSchema,
  }),
} as const
