import { z } from 'zod'
import { quotaSchema, unixSecondsSchema } from './envelope.ts'
import { logRowSchema } from './log.ts'
import { oneBasedPage, pageRows, pageSchema, queryFilterId, queryTerm } from './query.ts'
import { NAME_CHARACTERS_MAX, queryTime } from './reports.ts'
import { defineRoute, ownReading, siteReading } from './route.ts'

/** Sessions of callers: the conversations and tasks of agents, each of many calls. */

export const callSessionSchema = z.object({
  /** A keyed hash of the caller's name for the session. */
  session: z.string(),
  user_id: z.int(),
  username: z.string(),
  /** The program that made the calls, such as `claude-code`; "" where it is not known. */
  client: z.string(),
  client_version: z.string(),
  first_at: unixSecondsSchema,
  last_at: unixSecondsSchema,
  /** Calls that were charged. */
  calls: z.int(),
  errors: z.int(),
  quota: quotaSchema,
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  /** Input tokens that upstreams read from their caches; part of `prompt_tokens`. */
  cached_tokens: z.int(),
  /** What the calls would have cost more without the caches. */
  cache_saved: quotaSchema,
  /** Empty for readers who are not administrators. */
  channels: z.array(z.object({ channel_id: z.int(), name: z.string(), calls: z.int() })),
})
export type CallSession = z.infer<typeof callSessionSchema>

/** The list looks at the newest calls in the range, at most this many. */
export const SESSION_ROWS_MAX = 50_000
export const SESSION_CALLS_MAX = 100

const ownFilters = z.object({
  start_timestamp: queryTime(),
  end_timestamp: queryTime(),
  client: queryTerm(),
  p: oneBasedPage,
  page_size: pageRows(),
})
const sessionParams = z.object({ session: z.string().min(1).max(64) })
const after = z.object({ after_id: queryFilterId() })
/** The calls after `after_id`, oldest first, at most `SESSION_CALLS_MAX`. */
const withCalls = z.object({ session: callSessionSchema, calls: z.array(logRowSchema) })

export const callSessionRoutes = {
  list: defineRoute({
    ...siteReading,
    path: '/api/log/session',
    summary: `Sessions of all users, by their last call; among the newest ${SESSION_ROWS_MAX} calls with a session`,
    query: ownFilters.extend({ username: queryTerm(NAME_CHARACTERS_MAX) }),
    data: pageSchema(callSessionSchema),
  }),
  listOwn: defineRoute({
    ...ownReading,
    path: '/api/log/self/session',
    summary: `The caller’s sessions, by their last call; among the newest ${SESSION_ROWS_MAX} calls with a session`,
    query: ownFilters,
    data: pageSchema(callSessionSchema),
  }),
  get: defineRoute({
    ...siteReading,
    params: sessionParams,
    path: '/api/log/session/:session',
    summary: 'A session with its calls in order',
    query: after,
    data: withCalls,
  }),
  getOwn: defineRoute({
    ...ownReading,
    params: sessionParams,
    path: '/api/log/self/session/:session',
    summary: 'A session of the caller with its calls in order',
    query: after,
    data: withCalls,
  }),
} as const
