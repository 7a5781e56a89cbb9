import type { WriteContext } from '@tollgate/dialects/canonical/codec'
import type { StreamTap } from '@tollgate/dialects/stream-tap'
import type { ErrorRequest } from '@tollgate/dialects/openai/error'
import type { Problem } from '@tollgate/kit/problem'
import type { Failure } from '../attempt/failure.ts'
import type { Call } from '../call.ts'
import { errorHead, wholeHead } from './head.ts'
import { endStream } from './outlet.ts'
import { closeWithError } from './session-end.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/** Tells the caller that no attempt brought an answer. */
export function refuseWithFailure(call: Call, failure: Failure): void {
  answerError(call, errorRequest(call, failure), failure.retryAfterMs)
}

/** Tells the caller why the gateway itself refuses, and when it would not, where the problem says so. */
export function refuseWithProblem(call: Call, problem: Problem): void {
  const { seconds } = problem.parameters
  const retryAfterMs = typeof seconds === 'number' ? seconds * 1000 : undefined
  answerError(call, { problem, requestId: call.id, language: call.language }, retryAfterMs)
}

export function errorRequest(call: Call, { answer, status }: Failure): ErrorRequest {
  const common = { status, requestId: call.id, language: call.language }
  return answer.type === 'problem'
    ? { ...common, problem: answer.problem }
    : { ...common, upstreamError: answer.error }
}

/** The frames that end a stream with an error: the tap's own, where its dialect counts what it says. */
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

/** As an answer of its own, or inside the stream when comments have opened it already. */
function answerError(call: Call, request: ErrorRequest, retryAfterMs?: number): void {
  const { response, socket } = call
  if (socket !== undefined) return closeWithError(socket, request)
  if (call.isGone || response.writableEnded) return
  if (response.headersSent) {
    endStream(call, errorFrames(call, request))
    return
  }
  const { status, body } = call.dialect.writeError(request)
  const head = [...wholeHead(call, { type: JSON_TYPE, bytes: body.length }), ...errorHead]
  if (retryAfterMs !== undefined) head.push('retry-after', String(Math.ceil(retryAfterMs / 1000)))
  response.writeHead(status, head)
  response.end(body)
  if (!call.request.complete) dropRest(call)
}

/** Time to send what is left of a body nobody wants. */
const REST_MS = 10_000

/**
 * Reads on without looking. A connection that is closed while its client still writes is reset, and many clients then
 * never see the answer that says why.
 */
function dropRest({ request }: Call): void {
  const hangUp = setTimeout(() => request.destroy(), REST_MS).unref()
  request.once('close', () => clearTimeout(hangUp))
  request.unpipe().resume()
}
