import { Readable } from 'node:stream'
import type { Egress } from '@tollgate/egress/egress'
import { proxyAddress } from '@tollgate/egress/proxies'
import { invariant } from '@tollgate/kit/invariant'
import { Problem } from '@tollgate/kit/problem'
import { SignaturesNeeded, type KnownSignatures } from '@tollgate/providers/build/call-signatures'
import { MediaNeeded, type FetchedMedia } from '@tollgate/providers/build/media'
import type { TokenCache } from '@tollgate/providers/sign/token-cache'
import type { Dispatcher } from 'undici'
import type { CredentialRefresh } from '../../../keys/credential-refresh.ts'
import type { Outcome } from '../../outcome.ts'
import type { Held } from '../hold/held.ts'
import type { ChannelLessons } from '../../lessons/channel-lessons.ts'
import type { RelayLimits } from '../../limits.ts'
import type { Log } from '../../log.ts'
import type { Choice } from '../route/choice.ts'
import type { Watch } from '../../watch.ts'
import { withFreshCredential, withoutKeyProblem } from './expiring-credential.ts'
import { PollingHandler } from './polling-handler.ts'
import { verdictOfBreak } from './break.ts'
import { Exchange } from './exchange.ts'
import { fetchMedia } from './fetch-media.ts'
import { withLessonFrom } from './learn.ts'
import { prepare, upstreamOf, type Prepared } from './prepare.ts'
import { receiver, type ReceivePorts } from './receive.ts'
import { verdictOfProblem, verdictOfThrown } from './verdict.ts'
import { whileWaiting } from './waiting.ts'

export interface AttemptPorts extends ReceivePorts {
  readonly egress: Pick<Egress, 'dispatcher'>
  /** For providers that exchange the key for an access token. */
  readonly accessTokens: Pick<TokenCache, 'tokenFor' | 'forget'>
  /** For providers whose keys expire. */
  readonly credentialRefresh: Pick<CredentialRefresh, 'usable' | 'renew'>
  /** What was learned about channels from earlier refusals. */
  readonly lessons: ChannelLessons
  readonly watch: Watch
  readonly limits: RelayLimits
  readonly log: Log
  /** Requests usage from streams even if the caller did not. */
  readonly forcesUsage: boolean
}

/** One attempt on one channel, from sending the request to the end of the response. */
export function attempt(held: Held, choice: Choice, ports: AttemptPorts): Promise<Outcome> {
  const { tokens, renewal } = choice.channel.provider
  if (renewal !== undefined) return attemptWithAgedKey(held, choice, ports)
  return tokens === undefined ? attemptWith(held, choice, ports) : attemptWithToken(held, choice, ports)
}

/** If the caller left while the key was refreshed, the attempt is not made. */
function attemptWithAgedKey(held: Held, choice: Choice, ports: AttemptPorts): Promise<Outcome> {
  const isGone = (): boolean => held.call.isGone
  return withFreshCredential<Outcome>(
    choice,
    {
      run: async (usable) =>
        isGone()
          ? { type: 'failed', failure: verdictOfBreak({ type: 'drained' }) }
          : attemptWith(held, usable, ports),
      isRefused: (exit) => exit.type === 'failed' && exit.failure.evidence === 'certain',
      withoutKey: ({ message, isFinal }) => ({
        type: 'failed',
        failure: {
          ...verdictOfThrown(withoutKeyProblem({ isFinal })),
          detail: message,
          ...(isFinal && { evidence: 'certain' }),
        },
      }),
    },
    ports.credentialRefresh,
  )
}

/**
 * The key is exchanged for an access token first; a token that the upstream refuses is removed from the
 * cache.
 */
async function attemptWithToken(held: Held, choice: Choice, ports: AttemptPorts): Promise<Outcome> {
  const { key } = upstreamOf(choice)
  const { provider, setting } = choice.channel
  const { tokens } = provider
  invariant(tokens !== undefined, 'only a provider with tokens is asked for one')
  try {
    const proxy = proxyAddress(setting['proxy'])
    const accessToken = await ports.accessTokens.tokenFor(tokens, { key, proxy })
    const exit = await attemptWith(held, choice, { ...ports, accessToken })
    if (exit.type === 'failed' && exit.failure.evidence === 'certain')
      ports.accessTokens.forget(key, accessToken)
    return exit
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { type: 'failed', failure: verdictOfThrown(error) }
  }
}

type Ports = AttemptPorts & Found & { readonly accessToken?: string }

/** Data that has to be fetched before the request can be prepared. */
interface Found {
  readonly media?: FetchedMedia
  readonly signatures?: KnownSignatures
}

function attemptWith(held: Held, choice: Choice, ports: Ports): Promise<Outcome> {
  const { tree } = held.ask
  if (tree?.isLarge === true) return tree.load().then(() => attemptNow(held, choice, ports))
  return attemptNow(held, choice, ports)
}

function attemptNow(held: Held, choice: Choice, ports: Ports): Promise<Outcome> {
  const prepared = prepareOrFail(held, choice, ports)
  if (prepared instanceof Error) return attemptWithFound(held, choice, ports, prepared)
  if ('type' in prepared) return Promise.resolve(prepared)
  held.call.dropped = prepared.dropped
  held.call.lessons = prepared.lessons ?? []
  held.call.vendorHeaders = {}
  // While the upstream works, the parsed body is dropped; the bytes are enough for another attempt.
  held.ask.tree?.drop()
  const exited = new Promise<Outcome>((resolve) => {
    const exchange = new Exchange({
      call: held.call,
      limits: limitsFor(prepared.model, ports.limits),
      watch: ports.watch,
      now: ports.now,
      receive: receiver({ held, choice, prepared, ports }),
      waiting: whileWaiting(held, prepared),
      done: resolve,
      onBug: (error) =>
        ports.log.error(
          { error, requestId: held.call.id },
          'a bug of the gateway ended an upstream exchange',
        ),
    })
    dispatch(exchange, prepared, { ...ports, proxySetting: choice.channel.setting['proxy'] })
  })
  // Runs after the exchange has ended, so that a bug here rejects the promise; inside, the call would never
  // end.
  return exited.then((exit) => (exit.type === 'failed' ? withLessonFrom(exit, prepared, choice) : exit))
}

type Wanted = MediaNeeded | SignaturesNeeded

async function attemptWithFound(held: Held, choice: Choice, ports: Ports, wanted: Wanted): Promise<Outcome> {
  try {
    const found = await find(wanted, held, ports)
    if (held.call.isGone) return { type: 'failed', failure: verdictOfBreak({ type: 'drained' }) }
    return attemptWith(held, choice, { ...ports, ...found })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { type: 'failed', failure: verdictOfThrown(error) }
  }
}

async function find(wanted: Wanted, { call, caller }: Held, ports: Ports): Promise<Found> {
  if (wanted instanceof SignaturesNeeded)
    return { signatures: await ports.callSignatures.recall(caller.owner.id, wanted.callIds) }
  const { mediaEgress, limits } = ports
  const { mediaBytesMax } = limits
  return { media: await fetchMedia(call, wanted.addresses, { mediaEgress, mediaBytesMax }) }
}

function prepareOrFail(held: Held, choice: Choice, ports: Ports): Prepared | Outcome | Wanted {
  try {
    return prepare(held, choice, { ...ports, nowMs: ports.clock.nowMs() })
  } catch (error) {
    if (error instanceof MediaNeeded || error instanceof SignaturesNeeded) return error
    if (!(error instanceof Problem)) throw error
    return { type: 'failed', failure: verdictOfThrown(error) }
  }
}

interface DispatchPorts extends Pick<AttemptPorts, 'egress' | 'log' | 'limits'> {
  readonly proxySetting: unknown
}

function dispatch(
  exchange: Exchange,
  prepared: Prepared,
  { egress, log, limits, proxySetting }: DispatchPorts,
): void {
  try {
    const dispatcher = egress.dispatcher(prepared.origin, proxyAddress(proxySetting))
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
    dispatcher.dispatch(
      {
        origin: prepared.origin,
        path: prepared.path,
        method: 'POST',
        headers: { ...prepared.headers },
        // A separate stream for each attempt; the pieces are not copied.
        body: Buffer.isBuffer(prepared.body) ? prepared.body : Readable.from(prepared.body),
        // The exchange has its own time limits; those of the HTTP client are switched off.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      handler,
    )
  } catch (error) {
    // The destination may not be reached (egress rules), or a header is invalid.
    invariant(error instanceof Error, 'what is thrown is an error')
    log.warn({ code: error.name }, 'could not send a request to an upstream')
    const detail = error instanceof Problem ? error.code : error.name
    exchange.finish({ type: 'failed', failure: verdictOfProblem('do_request_failed', { detail }) })
  }
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
