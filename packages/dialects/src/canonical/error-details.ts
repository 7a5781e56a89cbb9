import type { DialectName } from './raw.ts'
import { isRecord, recordAt, recordsAt, textAt, type JsonObject } from '../json.ts'
import { scrub } from '../errors/scrub.ts'

/**
 * Members of a vendor's error, beside its words, that the vendor's own libraries read. Sources, read on 2026-11-29:
 * - Messages: `ErrorDetails` in the types of `@anthropic-ai/sdk` 1.8.0, https://docs.anthropic.com/en/api/errors
 * - Gemini: https://cloud.google.com/apis/design/errors#error_details (RetryInfo, BadRequest)
 * - Azure: https://learn.microsoft.com/azure/ai-services/openai/concepts/content-filter (innererror)
 */
const readers: Readonly<Record<DialectName, (error: JsonObject) => JsonObject | undefined>> = {
  anthropic: (error) => {
    const details = recordAt(error, 'details')
    return details && kept('details', chosen(details, ['error_code', 'unsupported']))
  },
  gemini: (error) => {
    const details = recordsAt(error, 'details')
      .slice(0, ITEMS_MAX)
      .flatMap((detail) => (detail['@type'] === BAD_REQUEST ? [badRequest(detail)] : []))
    return details.length === 0 ? undefined : { details }
  },
  openai: innerError,
  responses: innerError,
}

const BAD_REQUEST = 'type.googleapis.com/google.rpc.BadRequest'
const RETRY_INFO = 'type.googleapis.com/google.rpc.RetryInfo'
const FILTERS = ['content_filter_result', 'content_filter_results']

function badRequest(detail: JsonObject): JsonObject {
  const fieldViolations = recordsAt(detail, 'fieldViolations').map((violation) =>
    chosen(violation, ['field', 'description', 'reason']),
  )
  return { '@type': BAD_REQUEST, fieldViolations }
}

function innerError(error: JsonObject): JsonObject | undefined {
  const inner = recordAt(error, 'innererror')
  return inner && kept('innererror', chosen(inner, ['code', ...FILTERS]))
}

function chosen(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.filter((name) => Object.hasOwn(object, name)).map((name) => [name, object[name]]),
  )
}

function kept(name: string, value: JsonObject): JsonObject | undefined {
  return Object.keys(value).length === 0 ? undefined : { [name]: value }
}

const BYTES_MAX = 8 * 1024
const ITEMS_MAX = 32
const DEPTH_MAX = 5

/**
 * The members of an upstream's error that a caller of this dialect may see, cleaned. `restore` is applied to every
 * text, to remove what only the operator may see. A 429 concerns the operator's account: of it only the wait
 * is told, elsewhere.
 */
export function readErrorDetails(
  dialect: DialectName,
  { raw, status }: { readonly raw: JsonObject | undefined; readonly status: number },
  restore: (text: string) => string,
): JsonObject | undefined {
  if (raw === undefined || status === 429) return undefined
  const details = cleaned(readers[dialect](raw), restore, 0)
  return isRecord(details) && Buffer.byteLength(JSON.stringify(details)) <= BYTES_MAX ? details : undefined
}

function cleaned(value: unknown, restore: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value, restore)
  if (typeof value !== 'object' || value === null) return isPlain(value) ? value : undefined
  if (depth >= DEPTH_MAX) return undefined
  if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map((each) => cleaned(each, restore, depth + 1))
  const entries = Object.entries(value).slice(0, ITEMS_MAX)
  // Names come from the vendor too; the type of a detail is the only one that is an address.
  return Object.fromEntries(
    entries
      .filter(([name]) => NAME.test(name) && cleanText(name, restore) === name)
      .map(([name, each]) => [name, name === '@type' ? each : cleaned(each, restore, depth + 1)]),
  )
}

const NAME = /^@?[A-Za-z]\w{0,63}$/

function isPlain(value: unknown): boolean {
  return value === null || typeof value === 'boolean' || (typeof value === 'number' && Math.abs(value) < 1e7)
}

const accounts: readonly (readonly [RegExp, string])[] = [
  [/\b(?:org|proj|acct|ws|wrkspc|user)[-_][\w-]{6,}/gi, '[id]'],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, '[id]'],
  [/\d{8,}/g, '[number]'],
]

function cleanText(text: string, restore: (text: string) => string): string {
  const scrubbed = scrub(restore(text)).replace(NAMED_ACCOUNT, hideNumberedId)
  return accounts.reduce((clean, [pattern, replacement]) => clean.replace(pattern, replacement), scrubbed)
}

/** A kind of account and what may be the id of one. */
const NAMED_ACCOUNT =
  /\b(projects?|accounts?|billingAccounts|organi[sz]ations?|folders?|subscriptions?|tenants?)([/:= _-]{1,4})([\w.-]{1,256})/gi

/** Words without a digit are no id. */
function hideNumberedId(all: string, kind: string, between: string, id: string): string {
  return /\d/.test(id) ? `${kind}${between}[id]` : all
}

const WAIT_MS_MAX = 3_600_000

/** How long Google asks to wait, at most an hour: `{"retryDelay": "17s"}`. */
export function readRetryInfo(raw: JsonObject | undefined): number | undefined {
  const info = raw && recordsAt(raw, 'details').find((detail) => detail['@type'] === RETRY_INFO)
  const seconds = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec((info && textAt(info, 'retryDelay')) ?? '')?.[1]
  return seconds === undefined ? undefined : Math.min(WAIT_MS_MAX, Math.ceil(Number(seconds) * 1000))
}

export function writeRetryInfo(waitMs: number): JsonObject {
  return { '@type': RETRY_INFO, retryDelay: `${Math.ceil(waitMs / 1000)}s` }
}
