import { z } from 'zod'
import { quotaSchema, unixSecondsSchema } from './envelope.ts'
import { oneBasedPage, pageRows, queryFilterId, queryInteger, queryTerm } from './query.ts'
import { ANONYMOUS_BODY_BYTES_MAX, defineRoute, nothing } from './route.ts'

/** The wide usage log. Ids are the real ones for everybody: a row can be named in a question to the operator. */

export const LOG_TYPE = {
  topUp: 1,
  consumption: 2,
  management: 3,
  system: 4,
  checkIn: 5,
  refund: 6,
  signIn: 7,
  error: 8,
} as const

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
  /** 0 for a reader who is not an admin. */
  channel: z.int(),
  channel_name: z.string(),
  group: z.string(),
  ip: z.string(),
  /** JSON text, or "". `admin_info` only for admins. */
  other: z.string(),
})
export type LogRow = z.infer<typeof logRowSchema>

export const logStatSchema = z.object({
  quota: quotaSchema,
  /** Calls and tokens of the last 60 seconds, whatever the time range. */
  rpm: z.int(),
  tpm: z.int(),
  token: z.int(),
  prompt_tokens: z.int(),
  completion_tokens: z.int(),
  count: z.int(),
})

const LAST_SECOND = 253_402_300_799
const NAME_CHARACTERS_MAX = 255

/** Inclusive; 0 or missing = open. */
const seconds = () => queryInteger({ fallback: 0, min: 0, max: LAST_SECOND })

const ownFilters = z.object({
  type: queryFilterId(),
  start_timestamp: seconds(),
  end_timestamp: seconds(),
  token_name: queryTerm(NAME_CHARACTERS_MAX),
  /** Exact; a `%` at either end means "anything". */
  model_name: queryTerm(NAME_CHARACTERS_MAX),
  group: queryTerm(NAME_CHARACTERS_MAX),
  request_id: queryTerm(),
})
const allFilters = ownFilters.extend({
  username: queryTerm(NAME_CHARACTERS_MAX),
  user_id: queryFilterId(),
  channel: queryFilterId(),
})
/** `before_id`: only rows older than this one; cheaper than a high page number. */
const paging = { p: oneBasedPage, page_size: pageRows(), before_id: queryFilterId() }

/** `total` stops counting at `LOG_TOTAL_MAX`. */
export const LOG_TOTAL_MAX = 100_000
const pageSchema = z.object({
  items: z.array(logRowSchema),
  total: z.int(),
  page: z.int(),
  page_size: z.int(),
})

const reading = {
  method: 'GET',
  rate: 'api',
  isBillable: false,
  changesState: false,
  bodyBytesMax: ANONYMOUS_BODY_BYTES_MAX,
  params: nothing,
  body: nothing,
} as const
const everybody = { ...reading, access: 'admin', owner: 'site' } as const
const own = { ...reading, access: 'user', owner: 'self' } as const

export const logRoutes = {
  list: defineRoute({
    ...everybody,
    path: '/api/log',
    summary: 'Usage of everybody, newest first',
    query: allFilters.extend(paging),
    data: pageSchema,
  }),
  listOwn: defineRoute({
    ...own,
    path: '/api/log/self',
    summary: 'Own usage, newest first',
    query: ownFilters.extend(paging),
    data: pageSchema,
  }),
  stat: defineRoute({
    ...everybody,
    path: '/api/log/stat',
    summary: 'Sums over consumption rows of everybody',
    query: allFilters,
    data: logStatSchema,
  }),
  statOwn: defineRoute({
    ...own,
    path: '/api/log/self/stat',
    summary: 'Sums over own consumption rows',
    query: ownFilters,
    data: logStatSchema,
  }),
  removeOld: defineRoute({
    ...everybody,
    access: 'root',
    method: 'DELETE',
    changesState: true,
    path: '/api/log',
    summary: 'Deletes log rows older than a time; ledger and audit trail keep theirs; answers how many',
    query: z.object({ target_timestamp: seconds() }),
    data: z.int(),
  }),
} as const
