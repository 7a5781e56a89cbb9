import { z } from 'zod'
import { switchedStatus, writableFields } from './channel-fields.ts'
import { quotaSchema, unixSecondsSchema } from './envelope.ts'
import { idParams, pageRows, queryFilterId, totalExtra, zeroBasedPage } from './query.ts'
import { CONSOLE_BODY_BYTES_MAX, defineRoute, siteReading, siteWriting } from './route.ts'

/** The keys of a channel, each with its own state. They are identified by their hashes and never shown. */

export const channelKeySchema = z.object({
  hash: z.string(),
  /** First and last characters. */
  preview: z.string(),
  /** Same values as for a channel: 1 enabled, 2 disabled by an operator, 3 disabled automatically. */
  status: z.int(),
  /** Why the key was disabled automatically or could not be renewed. */
  reason: z.string(),
  status_time: unixSecondsSchema,
  uses: quotaSchema,
  last_used_time: unixSecondsSchema,
  /**
   * State in the process that responds. `open`: the key's circuit breaker is open after upstream failures.
   * `resting`: the key cools down because the upstream asked to wait.
   */
  state: z.enum(['ready', 'resting', 'open']),
  rest_ms: z.int(),
  /** When the key expires; 0 if it does not expire or its expiry is unknown. */
  ends_time: unixSecondsSchema,
  /** Whether the provider can renew this key. */
  can_renew: z.boolean(),
})
export type ChannelKey = z.infer<typeof channelKeySchema>

const KEYS_MAX = 20_000
const hashes = z.array(z.string().max(64)).min(1).max(KEYS_MAX)

export const channelKeyRoutes = {
  list: defineRoute({
    ...siteReading,
    params: idParams,
    path: '/api/channel/:id/keys',
    summary: 'Keys of a channel with their state, by page',
    bodyBytesMax: CONSOLE_BODY_BYTES_MAX,
    query: z.object({ p: zeroBasedPage, page_size: pageRows(), status: queryFilterId() }),
    data: z.array(channelKeySchema),
    extra: totalExtra.extend({ enabled: z.int(), disabled: z.int(), auto_disabled: z.int() }),
  }),
  add: defineRoute({
    ...siteWriting,
    params: idParams,
    method: 'POST',
    path: '/api/channel/:id/keys',
    summary: 'Adds keys to a channel, separated by commas or lines; returns the number of new ones',
    bodyBytesMax: 6 * CONSOLE_BODY_BYTES_MAX,
    body: z.object({ key: writableFields.key }),
    data: z.int(),
  }),
  setStatus: defineRoute({
    ...siteWriting,
    params: idParams,
    method: 'PUT',
    path: '/api/channel/:id/keys',
    summary: 'Disables or enables keys; returns their number',
    body: z.object({ hashes, status: switchedStatus }),
    data: z.int(),
  }),
  remove: defineRoute({
    ...siteWriting,
    params: idParams,
    method: 'POST',
    path: '/api/channel/:id/keys/remove',
    summary: 'Deletes the listed keys, or all automatically disabled ones; returns their number',
    body: z.union([z.object({ hashes }), z.object({ auto_disabled: z.literal(true) })]),
    data: z.int(),
  }),
  renew: defineRoute({
    ...siteWriting,
    params: idParams,
    rate: 'probe',
    method: 'POST',
    path: '/api/channel/:id/keys/renew',
    summary: 'Refreshes an expiring credential at the provider; returns the name and expiry of the new one',
    body: z.object({ hash: z.string().max(64) }),
    data: z.object({ hash: z.string(), ends_time: unixSecondsSchema }),
  }),
} as const
