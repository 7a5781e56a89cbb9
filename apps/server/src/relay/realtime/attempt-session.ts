import { once } from 'node:events'
import type { AttemptApp } from '../app.ts'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { readUpstreamRequestId } from '@tollgate/dialects/canonical/request-id-headers'
import { proxyAddress } from '@tollgate/egress/proxies'
import { invariant } from '@tollgate/kit/invariant'
import { Problem } from '@tollgate/problems/problem'
import type { WebSocket } from 'ws'
import { verdictOfBreak } from '../stations/attempt/break.ts'
import type { AttemptFailure } from '../stations/attempt/failure.ts'
import { openRequest, routeOf, type Prepared } from '../stations/attempt/prepare.ts'
import { retryAfterMs } from '../stations/attempt/retry-after.ts'
import { verdictOfProblem, verdictOfStatus, verdictOfThrown } from '../stations/attempt/verdict.ts'
import type { Outcome } from '../outcome.ts'
import type { Held } from '../stations/hold/held.ts'
import type { Choice } from '../stations/route/choice.ts'
import { Session } from './session.ts'

/** Headers that belong to a request with a body; a websocket handshake has none. */
const SENT_WITH_BODIES = new Set(['content-type', 'content-length', 'accept'])

/**
 * One attempt on one channel: connects to the upstream, then runs the whole session. Frames of the caller are
 * read only after the connection is open, so until then another channel can be tried.
 */
export async function attemptSession(held: Held, choice: Choice, app: AttemptApp): Promise<Outcome> {
  const dialled = await dial(held, choice, app)
  if ('failure' in dialled) return { type: 'failed', failure: dialled.failure }
  const { call } = held
  invariant(call.socket !== undefined, 'a session has a caller at a socket')
  const session = new Session({
    held,
    caller: call.socket,
    upstream: dialled.upstream,
    app,
    route: routeOf(choice, dialled.prepared),
  })
  return session.ended
}

type Dialled =
  | { readonly upstream: WebSocket; readonly prepared: Prepared }
  | { readonly failure: AttemptFailure }

async function dial(held: Held, choice: Choice, app: AttemptApp): Promise<Dialled> {
  try {
    const open = openRequest(held, choice, { forcesUsage: false })
    const prepared = open.prepare({ nowMs: app.clock.nowMs() })
    const headers = Object.entries(prepared.headers).filter(([name]) => !SENT_WITH_BODIES.has(name))
    const upstream = app.egress.socket({
      url: prepared.url,
      headers: { ...readBetaProtocol(held.call.request.headers), ...Object.fromEntries(headers) },
      proxy: proxyAddress(choice.channel.settings.proxy),
    })
    // Every failure is also reported by another event or a rejected promise.
    upstream.on('error', () => undefined)
    // Paused so that no frame sent right after the handshake is lost.
    upstream.once('open', () => upstream.pause())
    upstream.once('upgrade', ({ headers: answered }) => {
      held.call.upstreamRequestId = readUpstreamRequestId(answered)
    })
    const failure = await opened(upstream, { held, choice, app })
    return failure === undefined ? { upstream, prepared } : { failure }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { failure: verdictOfThrown(error) }
  }
}

/** Browsers cannot set headers, so they ask for the beta form of sessions with a sub-protocol. */
function readBetaProtocol({
  'sec-websocket-protocol': offered = '',
}: IncomingHttpHeaders): Record<string, string> {
  const protocols = offered.split(',').map((each) => each.trim())
  return protocols.includes(BETA_PROTOCOL) ? { 'openai-beta': 'realtime=v1' } : {}
}

const BETA_PROTOCOL = 'openai-beta.realtime-v1'

interface Dialling {
  readonly held: Held
  readonly choice: Choice
  readonly app: AttemptApp
}

/** Waits for the connection. `undefined` when it is open and the caller is still connected. */
async function opened(upstream: WebSocket, dialling: Dialling): Promise<AttemptFailure | undefined> {
  const refused = refusalOf(upstream, dialling)
  try {
    const failure = await Promise.race([refused, once(upstream, 'open').then(() => undefined)])
    if (failure === undefined && !dialling.held.call.isGone) return undefined
    upstream.terminate()
    return failure ?? verdictOfBreak({ type: 'left-unsent' })
  } catch (error) {
    return verdictOfProblem('do_request_failed', { detail: error instanceof Error ? error.name : '' })
  }
}

/** The failure for a response that is not a handshake; its body has the upstream's error. */
async function refusalOf(upstream: WebSocket, { held, choice, app }: Dialling): Promise<AttemptFailure> {
  const { promise, resolve } = Promise.withResolvers<AttemptFailure>()
  upstream.once('unexpected-response', (_request: unknown, response: IncomingMessage) => {
    held.call.upstreamRequestId = readUpstreamRequestId(response.headers)
    const chunks: Buffer[] = []
    let size = 0
    const end = () => {
      const status = response.statusCode ?? 502
      const waitMs = retryAfterMs(response.headers, app.clock.nowMs())
      const answer = { status, bytes: Buffer.concat(chunks), retryAfterMs: waitMs }
      resolve(verdictOfStatus(answer, { channel: choice.channel, settings: held.settings }))
    }
    response.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= app.limits.errorBytesMax) chunks.push(chunk)
      else end()
    })
    response.once('end', end)
    response.once('error', end)
  })
  return promise
}
