import { Readable } from 'node:stream'
import type { FreshDispatchOptions } from '@tollgate/egress/origin-client'
import { proxyAddress } from '@tollgate/egress/proxies'
import { invariant } from '@tollgate/kit/invariant'
import { Problem } from '@tollgate/problems/problem'
import type { Found, Needs } from '@tollgate/providers/define/needs'
import type { Dispatcher } from 'undici'
import type { AttemptApp } from '../../app.ts'
import type { Outcome } from '../../outcome.ts'
import { findReasoningOwner } from '../../reasoning/turn-reasoning.ts'
import { withRefusedSeals } from '../../seals/refused-seals.ts'
import type { Held } from '../hold/held.ts'
import type { RelayLimits } from '../../limits.ts'
import type { Choice } from '../route/choice.ts'
import { withFreshCredential } from './expiring-credential.ts'
import { PollingHandler } from './polling-handler.ts'
import { verdictOfBreak } from './break.ts'
import { describeLeftCall, writeDisplaced } from './displaced.ts'
import { Exchange } from './exchange.ts'
import { fetchMedia } from './fetch-media.ts'
import { withLessonFrom } from './learn.ts'
import { openRequest, routeOf, upstreamOf, type OpenRequest, type Prepared } from './prepare.ts'
import { receiver } from './receive.ts'
import { canResend } from './resend.ts'
import { verdictOfProblem, verdictOfThrown } from './verdict.ts'
import { whileWaiting } from './waiting.ts'
import { listDropped } from './with-taken.ts'

/** One attempt on one channel, from sending the request to the end of the response. */
export function attemptCall(held: Held, choice: Choice, app: AttemptApp): Promise<Outcome> {
  const { tokens, renewal } = choice.channel.provider
  if (renewal !== undefined)
    return withFreshCredential(
      choice,
      (usable) => attemptIfThere({ held, choice: usable, app }),
      app.credentialRefresh,
    )
  return tokens === undefined ? attemptWith({ held, choice, app }) : attemptWithToken(held, choice, app)
}

/**
 * The key is exchanged for an access token first; a token that the upstream refuses is removed from the
 * cache.
 */
async function attemptWithToken(held: Held, choice: Choice, app: AttemptApp): Promise<Outcome> {
  const { key } = upstreamOf(choice)
  const { provider, settings } = choice.channel
  const { tokens } = provider
  invariant(tokens !== undefined, 'only a provider with tokens is asked for one')
  try {
    const proxy = proxyAddress(settings.proxy)
    const accessToken = await app.accessTokens.tokenFor(tokens, { key, proxy })
    const exit = await attemptWith({ held, choice, app, accessToken })
    if (exit.type === 'failed' && exit.failure.evidence === 'certain')
      app.accessTokens.forget(key, accessToken)
    return exit
  } catch (error) {
    return failedBy(error)
  }
}

interface Trying {
  readonly held: Held
  readonly choice: Choice
  readonly app: AttemptApp
  readonly accessToken?: string
}

/** If the caller left while the key was refreshed, the attempt is not made. */
async function attemptIfThere(trying: Trying): Promise<Outcome> {
  return trying.held.call.isGone ? GONE : attemptWith(trying)
}

/** The caller left before a request was sent. */
export const GONE: Outcome = { type: 'failed', failure: verdictOfBreak({ type: 'left-unsent' }) }

/** This process did not run for so long that its quota may be with other processes again. */
const NOT_HELD: Outcome = {
  type: 'failed',
  failure: verdictOfProblem('ledger_unavailable', { isRetryable: false }),
}

function attemptWith(trying: Trying): Promise<Outcome> {
  const { tree } = trying.held.ask
  return tree?.isLarge === true ? tree.load().then(() => attemptNow(trying)) : attemptNow(trying)
}

function attemptNow(trying: Trying): Promise<Outcome> {
  const { held, choice, app, accessToken } = trying
  const { forcesUsage, lessons, clock } = app
  try {
    const open = openRequest(held, choice, { forcesUsage, lessons, accessToken })
    const { addresses, callIds } = open.needs
    if (addresses.length + callIds.length > 0) return attemptWithFound(open, trying)
    const prepared = open.prepare({ nowMs: clock.nowMs() })
    return lacksReasoning(prepared, choice) ? sendReasoned(prepared, open, trying) : send(prepared, trying)
  } catch (error) {
    return Promise.resolve(failedBy(error))
  }
}

function failedBy(error: unknown): Outcome {
  if (!(error instanceof Problem)) throw error
  return { type: 'failed', failure: verdictOfThrown(error) }
}

/** Looks up what the request needs first. If the caller left meanwhile, the attempt is not made. */
async function attemptWithFound({ needs, prepare }: OpenRequest, trying: Trying): Promise<Outcome> {
  const { call } = trying.held
  try {
    const found = await find(needs, trying)
    if (call.isGone) return GONE
    const facts = { ...found, nowMs: trying.app.clock.nowMs() }
    const prepared = prepare(facts)
    if (!lacksReasoning(prepared, trying.choice)) return send(prepared, trying)
    return sendReasoned(prepared, { prepare: (more) => prepare({ ...facts, ...more }) }, trying)
  } catch (error) {
    return failedBy(error)
  }
}

function lacksReasoning({ unreasonedTurns }: Prepared, { channel }: Choice): boolean {
  return unreasonedTurns.length > 0 && channel.settings.keepsReasoning
}

/** Puts the reasoning back that the vendor demands and that the client did not send, as far as it is kept. */
async function sendReasoned(
  prepared: Prepared,
  { prepare }: Pick<OpenRequest, 'prepare'>,
  trying: Trying,
): Promise<Outcome> {
  const { held, app } = trying
  try {
    const owner = findReasoningOwner(held.caller)
    const reasoning = await app.turnReasoning.recall(owner, prepared.unreasonedTurns)
    if (held.call.isGone) return GONE
    const isKept = reasoning.size > 0
    return send(isKept ? prepare({ nowMs: app.clock.nowMs(), reasoning }) : prepared, trying)
  } catch (error) {
    return failedBy(error)
  }
}

async function find({ addresses, callIds }: Needs, { held: { call, caller }, app }: Trying): Promise<Found> {
  const { mediaEgress, limits, callSignatures } = app
  const { mediaBytesMax } = limits
  const signatures = callIds.length > 0 && (await callSignatures.recall(caller.owner.id, callIds))
  const media = addresses.length > 0 && (await fetchMedia(call, addresses, { mediaEgress, mediaBytesMax }))
  return { ...(signatures && { signatures }), ...(media && { media }) }
}

/** Sends the prepared request; resolves when the response has ended. */
function send(prepared: Prepared, { held, choice, app }: Trying): Promise<Outcome> {
  if (held.call.isGone) return Promise.resolve(GONE)
  if (!app.ledger.isHeld(held.call.id)) return Promise.resolve(NOT_HELD)
  held.call.dropped = listDropped(held.call.taken, prepared.dropped)
  noteMembers(held, choice, app)
  held.call.lessons = prepared.lessons ?? []
  held.call.sentSeals = prepared.sentSeals
  held.call.repairs = prepared.repairs
  held.call.vendorHeaders = {}
  // While the upstream works, the parsed body is dropped; the bytes are enough for another attempt.
  held.ask.tree?.drop()
  return new Promise<Outcome>((resolve, reject) => {
    const exchange = new Exchange({
      call: held.call,
      limits: limitsFor(prepared.model, app.limits),
      watch: app.watch,
      now: app.now,
      receive: receiver({ held, choice, prepared, app }),
      turns: app.turns,
      openRoom: (onRoom) => app.answers.open(held.call, held.caller.owner.id, onRoom),
      waiting: whileWaiting(held, prepared),
      resend: (error) => {
        if (!canResend(error, { held, channel: choice.channel, prepared, app })) return false
        held.call.hasResent = true
        app.metrics.resent(choice.channel.id)
        dispatch(exchange, prepared, { held, choice, app, needsFreshConnection: true })
        return true
      },
      follow: (displace) => app.leftCalls.add({ ...describeLeftCall(held), displace }),
      done: (exit) => {
        if (exit.type !== 'failed') return resolve(exit)
        if (exchange.request.isDisplaced)
          return resolve(writeDisplaced(routeOf(choice, prepared), exchange.request))
        // A bug here must reject the promise: thrown into the exchange, which is over, it would leave the call open.
        try {
          resolve(withRefusedSeals(withLessonFrom(exit, prepared, choice), held))
        } catch (bug) {
          reject(bug)
        }
      },
      onBug: (error) =>
        app.log.error({ error, requestId: held.call.id }, 'a bug of the gateway ended an upstream exchange'),
    })
    dispatch(exchange, prepared, { held, choice, app })
  })
}

function noteMembers({ call, ask, operation }: Held, { channel }: Choice, { metrics }: AttemptApp): void {
  const unknown = ask.names?.unknown ?? []
  if (unknown.length + call.taken.length === 0) return
  metrics.members.note({ call, wire: operation.wire, channelId: channel.id, unknown })
}

function dispatch(
  exchange: Exchange,
  prepared: Prepared,
  trying: Pick<Trying, 'held' | 'choice' | 'app'> & Pick<FreshDispatchOptions, 'needsFreshConnection'>,
): void {
  const { log, limits } = trying.app
  try {
    const dispatcher = dispatcherFor(prepared, trying)
    const { asyncJob } = prepared.endpoint
    const handler =
      asyncJob === undefined
        ? exchange
        : new PollingHandler({
            exchange,
            work: asyncJob,
            path: prepared.path,
            ask: (path, asking) => void dispatcher.dispatch(questionOf(prepared, path), asking),
            pauseMs: limits.orderPauseMs,
          })
    const options: FreshDispatchOptions = {
      origin: prepared.origin,
      path: prepared.path,
      method: 'POST',
      headers: withTrace(prepared.headers, trying),
      // A separate stream for each attempt; the pieces are not copied.
      body: Buffer.isBuffer(prepared.body) ? prepared.body : Readable.from(prepared.body),
      // The exchange has its own time limits; those of the HTTP client are switched off.
      headersTimeout: 0,
      bodyTimeout: 0,
      needsFreshConnection: trying.needsFreshConnection ?? false,
    }
    dispatcher.dispatch(options, handler)
  } catch (error) {
    // The destination may not be reached (egress rules), or a header is invalid.
    invariant(error instanceof Error, 'what is thrown is an error')
    log.warn({ code: error.name }, 'could not send a request to an upstream')
    const detail = error instanceof Problem ? error.code : error.name
    exchange.finish({ type: 'failed', failure: verdictOfProblem('do_request_failed', { detail }) })
  }
}

/** A call of a WebSocket connection stays on one to the vendor, if the channel says that it has them. */
function dispatcherFor(
  { origin, endpoint, operation, isStream }: Prepared,
  { held, choice: { channel }, app }: Pick<Trying, 'held' | 'choice' | 'app'>,
): Dispatcher {
  const { settings, id: channelId } = channel
  const proxy = proxyAddress(settings.proxy)
  const http = app.egress.dispatcher(origin, proxy)
  const { sockets } = held.call
  const isPassed = settings.passesSockets && endpoint.hasSocket === true && isStream
  if (sockets === undefined || !isPassed || operation !== held.operation.wire) return http
  return sockets.dispatcher({ channelId, proxy, http })
}

/** Adds the header that continues the call's trace, where the channel's upstream may see it. */
function withTrace(
  headers: Prepared['headers'],
  { held, choice, app }: Pick<Trying, 'held' | 'choice' | 'app'>,
): Prepared['headers'] {
  if (app.tracing === undefined || !choice.channel.settings.sendsTraceContext) return headers
  const traceparent = app.tracing.of(held.call)?.traceparent
  return traceparent === undefined ? headers : { ...headers, traceparent }
}

/** The request that polls submitted work; it has the same credential headers as the submission. */
function questionOf({ origin, headers }: Prepared, path: string): Dispatcher.DispatchOptions {
  const { 'content-type': _type, 'content-length': _length, ...asking } = headers
  return { origin, path, method: 'GET', headers: asking, headersTimeout: 0, bodyTimeout: 0 }
}

/** The o1 and o3 models send nothing for longer while they reason. */
function limitsFor(model: string, limits: RelayLimits): RelayLimits {
  return /^o[13]/.test(model) ? { ...limits, idleMs: limits.idleMs * 2 } : limits
}
