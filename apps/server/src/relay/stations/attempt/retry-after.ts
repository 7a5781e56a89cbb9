/** The response headers that say when to retry. */
export interface RetryHeaders {
  readonly 'retry-after'?: string | string[] | undefined
  /**
   * Milliseconds, sent along with the rounded seconds.
   * https://learn.microsoft.com/azure/ai-services/openai/how-to/quota
   */
  readonly 'retry-after-ms'?: string | string[] | undefined
  readonly date?: string | string[] | undefined
}

const WAIT_MS_MAX = 3_600_000

/**
 * How long an upstream asks to wait, in milliseconds, at most one hour; `undefined` when it does not say or
 * the value cannot be parsed. A date is measured by the upstream's own clock if it sends a `date` header,
 * else by ours. https://www.rfc-editor.org/rfc/rfc9110#name-retry-after
 */
export function retryAfterMs(headers: RetryHeaders, nowMs: number): number | undefined {
  const exact = numberIn(headers['retry-after-ms'])
  if (exact !== undefined) return atMost(exact)
  const text = headers['retry-after']
  const seconds = numberIn(text)
  if (seconds !== undefined) return atMost(seconds * 1000)
  const moment = momentIn(text)
  return moment === undefined ? undefined : atMost(Math.max(0, moment - (momentIn(headers.date) ?? nowMs)))
}

function atMost(ms: number): number {
  return Math.min(Math.ceil(ms), WAIT_MS_MAX)
}

function numberIn(text: string | string[] | undefined): number | undefined {
  return typeof text === 'string' && /^\s*\d{1,12}(\.\d{1,6})?\s*$/.test(text) ? Number(text) : undefined
}

/** `Sun, 22 Nov 2026 10:20:00 GMT`, and the two older date formats that HTTP still allows. */
const HTTP_DATE = /^\s*[A-Z][a-z]{2,8},? [\w :-]{10,30}\s*$/

function momentIn(text: string | string[] | undefined): number | undefined {
  if (typeof text !== 'string' || !HTTP_DATE.test(text)) return undefined
  // The oldest format has no zone and means GMT.
  const ms = Date.parse(/GMT\s*$/.test(text) ? text : `${text} GMT`)
  return Number.isNaN(ms) ? undefined : ms
}
