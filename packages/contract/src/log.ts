import { z } from 'zod'
import { quotaSchema, unixSecondsSchema } from './envelope.ts'
import { oneBasedPage, pageRows, pageSchema, queryFilterId, queryFlag, queryTerm } from './query.ts'
import { NAME_CHARACTERS_MAX, queryTime } from './reports.ts'
import { defineRoute, fileTypes, nothing, ownReading, siteBodyless, siteReading } from './route.ts'

/**
 * The detailed usage log. All readers see the real row ids, so that users can refer to a row when they
 * contact the operator.
 */

export const logRowSchema = z.object({
  id: z.int(),
  request_id: z.string(),
  user_id: z.int(),
  created_at: unixSecondsSchema,
  type: z.int(),
  content: z.string(),
  username: z.string(),
  token_id: z.int(),
  token_name: z.string(),
  model_name: z.string(),
  quota: quotaSchema,
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  /** Whole seconds. */
  use_time: z.int(),
  duration_ms: z.int(),
  first_byte_ms: z.int(),
  is_stream: z.boolean(),
  /** 0 for readers who are not administrators. */
  channel: z.int(),
  channel_name: z.string(),
  group: z.string(),
  ip: z.string(),
  /** JSON text, or "". `admin_info` is included only for administrators. */
  other: z.string(),
  /** Upstream cost of the call; null if unknown, and for readers who are not administrators. */
  cost: quotaSchema.nullable(),
  /** Identifies the session that the call belongs to; "" where the caller named none. */
  session: z.string(),
  /** The caller's program, such as `claude-code`, and its version; "" where they are not known. */
  client: z.string(),
  client_version: z.string(),
  /** Input tokens that the upstream read from its cache; part of `prompt_tokens`. */
  cached_tokens: z.int(),
  /** What the call would have cost more without the upstream's cache; negative if the cache was only written. */
  cache_saved: quotaSchema,
  /** The vendor's own id of the call's last request, for its support; "" for readers who are not administrators. */
  upstream_request_id: z.string(),
})
export type LogRow = z.infer<typeof logRowSchema>

/**
 * Sums over the rows that match all filters, including the type. Without a type: over charged calls and
 * refunds.
 */
export const logStatSchema = z.object({
  /** Charges minus refunds; negative when only refunds are requested. */
  quota: quotaSchema,
  /** Calls and tokens of the last 60 seconds, regardless of the time range. */
  rpm: z.int(),
  tpm: z.int(),
  token: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  /** The same three values under the names that consoles written for new-api use. */
  token_total: z.int(),
  token_input: z.int(),
  token_output: z.int(),
  /** Number of charged calls, or of failed calls when errors are requested. Refunds are not counted. */
  count: z.int(),
})

const ownFilters = z.object({
  type: queryFilterId(),
  start_timestamp: queryTime(),
  end_timestamp: queryTime(),
  token_name: queryTerm(NAME_CHARACTERS_MAX),
  /** Exact match; a `%` at either end matches anything. */
  model_name: queryTerm(NAME_CHARACTERS_MAX),
  group: queryTerm(NAME_CHARACTERS_MAX),
  request_id: queryTerm(),
  session: queryTerm(),
  client: queryTerm(),
})
const allFilters = ownFilters.extend({
  username: queryTerm(NAME_CHARACTERS_MAX),
  user_id: queryFilterId(),
  channel: queryFilterId(),
  upstream_request_id: queryTerm(),
})
/** `calls`: only calls (paid or failed) and their refunds. Ignored when a type is requested. */
const callsOnly = { calls: queryFlag().transform((isAsked) => isAsked || undefined) }

/** `before_id`: only rows older than this one, which is cheaper than a high page number. */
const paging = { p: oneBasedPage, page_size: pageRows(), before_id: queryFilterId() }

const keyword = z.object({ keyword: queryTerm(NAME_CHARACTERS_MAX) })

/** CSV, or one JSON object per line. The response is the file itself, without the envelope. */
const file = { format: z.enum(['csv', 'jsonl']).catch('csv') }

/** `total` stops counting at `LOG_TOTAL_MAX`. */
export const LOG_TOTAL_MAX = 100_000
const logPageSchema = pageSchema(logRowSchema)

export const logRoutes = {
  list: defineRoute({
    ...siteReading,
    path: '/api/log',
    summary: 'Usage log of all users, newest first',
    query: allFilters.extend({ ...callsOnly, ...paging }),
    data: logPageSchema,
  }),
  listOwn: defineRoute({
    ...ownReading,
    path: '/api/log/self',
    summary: 'The caller’s usage log, newest first',
    query: ownFilters.extend({ ...callsOnly, ...paging }),
    data: logPageSchema,
  }),
  stat: defineRoute({
    ...siteReading,
    path: '/api/log/stat',
    summary: 'Sums over the usage log of all users, net of refunds',
    query: allFilters,
    data: logStatSchema,
  }),
  statOwn: defineRoute({
    ...ownReading,
    path: '/api/log/self/stat',
    summary: 'Sums over the caller’s usage log, net of refunds',
    query: ownFilters,
    data: logStatSchema,
  }),
  search: defineRoute({
    ...siteReading,
    path: '/api/log/search',
    summary: 'The newest hundred rows of a type, or whose text begins with a word',
    query: keyword,
    data: z.array(logRowSchema),
  }),
  searchOwn: defineRoute({
    ...ownReading,
    path: '/api/log/self/search',
    summary: 'The caller’s newest hundred rows of a type, or whose text begins with a word',
    query: keyword,
    data: z.array(logRowSchema),
  }),
  listOfToken: defineRoute({
    ...ownReading,
    access: 'public',
    byApiToken: true,
    rate: 'critical',
    path: '/api/log/token',
    summary:
      'The newest hundred rows of a token: by its key in `Authorization` or as `key`, or by its id for its owner',
    query: z.object({ key: queryTerm(), token_id: queryFilterId() }),
    data: z.array(logRowSchema),
  }),
  export: defineRoute({
    ...siteReading,
    path: '/api/log/export',
    summary: 'Exports the usage log of all users, newest first, without a row limit',
    query: allFilters.extend({ ...callsOnly, ...file }),
    data: nothing,
    files: fileTypes,
  }),
  exportOwn: defineRoute({
    ...ownReading,
    path: '/api/log/self/export',
    summary: 'Exports the caller’s usage log, newest first, without a row limit',
    query: ownFilters.extend({ ...callsOnly, ...file }),
    data: nothing,
    files: fileTypes,
  }),
  removeOld: defineRoute({
    ...siteBodyless,
    access: 'root',
    method: 'DELETE',
    path: '/api/log',
    summary:
      'Deletes usage log rows older than a time, not ledger entries or audit rows; returns their number',
    query: z.object({ target_timestamp: queryTime() }),
    data: z.int(),
  }),
} as const
