import type { WriteContext } from '@tollgate/dialects/canonical/codec'
import type { StreamTap } from '@tollgate/dialects/stream/stream-tap'
import type { ErrorRequest } from '@tollgate/dialects/errors/render-error'
import { ACCEPTED_CODINGS } from '@tollgate/egress/content-codings'
import type { Problem } from '@tollgate/problems/problem'
import type { AttemptFailure } from '../attempt/failure.ts'
import type { Call } from '../../call.ts'
import { emptyBalanceForm, isEmptyBalance } from './empty-balance.ts'
import { errorHead, wholeHead, withVendorHeaders } from './head.ts'
import { abortStream } from './outlet.ts'
import { closeWithError } from '../../sockets/close-socket.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/** Sends the caller the error of the last attempt. */
export function refuseWithFailure(call: Call, failure: AttemptFailure): void {
  const headers = failure.answer.type === 'upstream' ? withVendorHeaders([], call) : []
  const request = errorRequest(call, failure)
  answerError(call, request, { retryAfterMs: request.retryAfterMs, headers })
}

/** Sends the caller a Problem of the gateway, with `retry-after` if the Problem has a time. */
export function refuseWithProblem(call: Call, problem: Problem): void {
  const { seconds } = problem.parameters
  const retryAfterMs = typeof seconds === 'number' ? seconds * 1000 : undefined
  const common = { requestId: call.id, language: call.language, retryAfterMs }
  const request = { problem, ...common, ...emptyBalanceForm(call, problem) }
  answerError(call, request, { retryAfterMs, headers: headersOf(problem) })
}

/**
 * Headers that HTTP requires for some statuses: RFC 9110 15.5.6 and 15.5.22, RFC 7694. The official clients
 * of OpenAI and Anthropic do not retry after `x-should-retry: false`.
 */
function headersOf(problem: Problem): readonly string[] {
  const { code, parameters } = problem
  const { allowed } = parameters
  if (code === 'method_not_allowed' && typeof allowed === 'string') return ['allow', allowed]
  if (code === 'websocket_unsupported') return ['upgrade', 'HTTP/1.1', 'connection', 'upgrade, close']
  const isNowhere = code === 'no_channel' && parameters['isListed'] === 0
  if (code === 'token_tpm_too_small' || isNowhere || isEmptyBalance(problem))
    return ['x-should-retry', 'false']
  const isCoding = code === 'body_coding_unsupported' || code === 'body_codings_too_many'
  return isCoding ? ['accept-encoding', ACCEPTED_CODINGS] : []
}

export function errorRequest(call: Call, failure: AttemptFailure): ErrorRequest {
  const { answer, status } = failure
  const common = { requestId: call.id, language: call.language, retryAfterMs: shortestWait(call, failure) }
  return answer.type === 'problem'
    ? { ...common, status, problem: answer.problem, ...emptyBalanceForm(call, answer.problem) }
    : { ...common, status: answer.status ?? status, upstreamError: answer.error }
}

/** Statuses after which waiting helps. */
const BUSY: ReadonlySet<number> = new Set([429, 503, 529])

/** The caller need not wait longer than until the first of the channels that were tried is ready again. */
function shortestWait({ waitMs }: Call, { status, retryAfterMs }: AttemptFailure): number | undefined {
  if (waitMs === undefined || !BUSY.has(status)) return retryAfterMs
  return Math.min(waitMs, retryAfterMs ?? waitMs)
}

/** The frames that end a stream with an error. The tap writes them where the dialect numbers its events. */
export function errorFrames(call: Call, request: ErrorRequest, tap?: StreamTap): readonly Buffer[] {
  return tap?.fail?.(request) ?? call.dialect.openWriter(NOTHING_SAID).fail(request)
}

const NOTHING_SAID: WriteContext = {
  model: '',
  fallbackId: '',
  nowSeconds: 0,
  inputTokensCounted: 0,
  wantsUsage: false,
}

interface ErrorHead {
  readonly retryAfterMs: number | undefined
  /** Additional headers, as a flat list. */
  readonly headers?: readonly string[]
}

/** Sends an error as a response, or inside the stream if comments have already opened it. */
function answerError(call: Call, request: ErrorRequest, { retryAfterMs, headers = [] }: ErrorHead): void {
  const { response, socket } = call
  if (socket !== undefined) return closeWithError(socket, request)
  if (call.isGone || response.writableEnded) return
  if (response.headersSent) {
    abortStream(call, errorFrames(call, request))
    return
  }
  const { status, body } = call.dialect.writeError(request)
  const head = [...wholeHead(call, { type: JSON_TYPE, bytes: body.length }), ...errorHead, ...headers]
  if (retryAfterMs !== undefined) head.push('retry-after', String(Math.ceil(retryAfterMs / 1000)))
  response.writeHead(status, head)
  response.end(body)
  if (!call.request.complete) dropRest(call)
}

/** Time in which a client may send the rest of a body that is being discarded. */
const REST_MS = 10_000

/**
 * Reads and discards the rest of the request body. If the connection were closed while its client still
 * writes it would be reset, and many clients would not see the error response.
 */
function dropRest({ request }: Call): void {
  const hangUp = setTimeout(() => request.destroy(), REST_MS).unref()
  request.once('close', () => clearTimeout(hangUp))
  request.unpipe().resume()
}
