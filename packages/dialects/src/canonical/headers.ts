import { requestIdHeaders } from './request-id-headers.ts'

/**
 * How each header of callers and of vendors is handled; a header that is not listed is dropped. The table in
 * `docs/reference/dialects.md` is generated from this. Operators can forward more headers with a channel's
 * header rules.
 */
export interface HeaderRow {
  /** In lower case; a `*` at the end matches any suffix. */
  readonly name: string
  readonly does: 'consumed' | 'forwarded' | 'dropped'
  /**
   * For forwarded headers: the operations in which they are forwarded. Caller and upstream must both use that
   * operation.
   */
  readonly between?: readonly HeaderOperation[]
  /** For response headers: forwarded only with this status. */
  readonly status?: number
  readonly note: string
}

export type HeaderOperation = 'realtime' | 'chat' | 'messages' | 'responses' | 'compact' | 'generate'

const OPENAI = ['chat', 'responses', 'compact'] as const
const RESPONSES = ['responses', 'compact'] as const

export const requestHeaders: readonly HeaderRow[] = [
  { name: 'authorization', does: 'consumed', note: "the caller's key; a vendor sees the channel's" },
  { name: 'x-api-key', does: 'consumed', note: 'the key under `/v1/messages` and `/v1/models`' },
  { name: 'x-goog-api-key', does: 'consumed', note: 'the key under `/v1beta/models` and `/v1/models`' },
  { name: 'mj-api-secret', does: 'consumed', note: 'the key of drawing clients' },
  { name: 'cookie', does: 'consumed', note: 'the session of the playground' },
  { name: 'content-encoding', does: 'consumed', note: 'decoded; a vendor gets the plain body' },
  {
    name: 'content-type',
    does: 'consumed',
    note: 'forms are parsed as forms; a vendor gets the type of the sent body',
  },
  { name: 'accept-language', does: 'consumed', note: 'the language of gateway errors' },
  { name: 'origin', does: 'consumed', note: 'browser extensions, if the operator blocks them' },
  { name: 'x-forwarded-*', does: 'consumed', note: "the caller's address, behind trusted proxies" },
  {
    name: 'anthropic-version',
    does: 'forwarded',
    between: ['messages'],
    note: 'default `2023-06-01`; on `/v1/models` it selects the Messages format',
  },
  {
    name: 'anthropic-beta',
    does: 'forwarded',
    between: ['messages'],
    note: 'Bedrock gets it as `anthropic_beta` in the body. Bedrock, Vertex AI and Azure get the betas that they take; the others, and members behind them, are named in `x-tollgate-dropped`',
  },
  {
    name: 'openai-beta',
    does: 'forwarded',
    between: [...OPENAI, 'realtime'],
    note: 'Realtime callers of the beta form may send it as a sub-protocol',
  },
  { name: 'x-codex-turn-state', does: 'forwarded', between: RESPONSES, note: 'returned in the answer' },
  {
    name: 'idempotency-key',
    does: 'dropped',
    note: 'the gateway retries itself; the same call sent twice is charged twice',
  },
  { name: 'user-agent', does: 'consumed', note: 'recognises Codex, see above; not sent to vendors' },
  { name: 'accept', does: 'dropped', note: 'set by what the call needs' },
  { name: 'accept-encoding', does: 'dropped', note: '' },
  { name: 'openai-organization', does: 'dropped', note: "the channel's own where it has one" },
  { name: 'openai-project', does: 'dropped', note: '' },
  { name: 'x-stainless-*', does: 'dropped', note: 'client details of an official SDK' },
  { name: 'x-goog-*', does: 'dropped', note: '' },
  { name: 'traceparent', does: 'dropped', note: '' },
]

export const answerHeaders: readonly HeaderRow[] = [
  {
    name: 'retry-after',
    does: 'consumed',
    note: 'the caller gets the shortest wait of the channels that were tried, in whole seconds',
  },
  { name: 'retry-after-ms', does: 'consumed', note: 'returned as `retry-after`' },
  { name: 'content-type', does: 'consumed', note: '' },
  { name: 'x-codex-turn-state', does: 'forwarded', between: RESPONSES, note: '' },
  {
    name: 'x-ratelimit-*',
    does: 'forwarded',
    between: OPENAI,
    status: 429,
    note: 'of the last attempt',
  },
  {
    name: 'anthropic-ratelimit-*',
    does: 'forwarded',
    between: ['messages'],
    status: 429,
    note: 'of the last attempt',
  },
  ...requestIdHeaders.map(({ name, vendor }) => ({
    name,
    does: 'consumed' as const,
    note: `the id of ${vendor}; operators see it, the caller gets the gateway’s request id`,
  })),
  {
    name: 'x-should-retry',
    does: 'dropped',
    note: 'it is about one attempt, and there may be several',
  },
  { name: 'openai-*', does: 'dropped', note: "they identify the operator's account" },
  { name: 'anthropic-organization-id', does: 'dropped', note: "it names the operator's account" },
  { name: 'set-cookie', does: 'dropped', note: '' },
]

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

/** Returns the caller's headers to forward to a vendor that is called with the same operation. */
export function forwardedToVendor(headers: Headers, operation: string): Forwarded {
  return picked(headers, toVendor.get(operation))
}

/**
 * Returns the vendor's headers to forward to the caller, for a response with this status in the same
 * operation.
 */
export function forwardedToCaller(
  headers: Headers,
  { operation, status }: { readonly operation: string; readonly status: number },
): Forwarded {
  return picked(headers, (status === LIMITED ? toCallerLimited : toCaller).get(operation))
}

type Forwarded = Readonly<Record<string, string>>
type Names = ReadonlyMap<string, readonly string[]>

const LIMITED = 429
const toVendor = forwardedNames(requestHeaders, undefined)
const toCaller = forwardedNames(answerHeaders, undefined)
const toCallerLimited = forwardedNames(answerHeaders, LIMITED)

/** Header names by operation. Built once, because every call uses them. */
function forwardedNames(rows: readonly HeaderRow[], status: number | undefined): Names {
  const names = new Map<string, string[]>()
  for (const { name, between = [], status: only } of rows)
    if (only === undefined || only === status)
      for (const operation of between) names.set(operation, [...(names.get(operation) ?? []), name])
  return names
}

const NONE: Forwarded = {}
/**
 * Maximum number of forwarded headers per response. A vendor that sends more is assumed to be misbehaving.
 */
const FORWARDED_MAX = 32

function picked(headers: Headers, names: readonly string[] = []): Forwarded {
  let found: Record<string, string> | undefined
  let count = 0
  for (const name of names)
    for (const each of name.endsWith('*') ? namesLike(name, headers) : [name]) {
      const value = headers[each]
      if (value === undefined || ++count > FORWARDED_MAX) continue
      found ??= {}
      found[each] = String(value)
    }
  return found ?? NONE
}

function namesLike(pattern: string, headers: Headers): readonly string[] {
  const start = pattern.slice(0, -1)
  return Object.keys(headers).filter((name) => name.startsWith(start))
}
