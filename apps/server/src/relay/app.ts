import type { IncomingMessage } from 'node:http'
import type { Coordination } from '@tollgate/coordination/coordination'
import type { Egress } from '@tollgate/egress/egress'
import type { Cipher } from '@tollgate/kit/cipher'
import type { Clock } from '@tollgate/kit/clock'
import type { TokenCache } from '@tollgate/providers/sign/token-cache'
import type { TokenRefusals as RefusedCount } from '@tollgate/store/accounts/token-refusals'
import type { LogTextTable, UsageLogRow } from '@tollgate/store/tables/logs'
import type { CredentialRefresh } from '../keys/credential-refresh.ts'
import type { Snapshots } from '../snapshots/snapshots.ts'
import type { TaskUpdatePorts } from '../tasks/apply-update.ts'
import { openAffinity, type Affinity } from './affinity/affinity.ts'
import { AnswerRooms } from './answers/answer-rooms.ts'
import { TurnShare } from './answers/turn-share.ts'
import type { CallLedger } from './call-ledger.ts'
import { InFlight } from './in-flight.ts'
import { LeftCalls } from './left-calls.ts'
import { ChannelLessons } from './lessons/channel-lessons.ts'
import { LongAnswers } from './lessons/long-answers.ts'
import { CallMetrics } from './metrics/call-metrics.ts'
import { defaultRelayLimits, type RelayLimits } from './limits.ts'
import { type FailureLog, openFailureLog } from './failure-log.ts'
import type { Log } from './log.ts'
import { BodyBudget } from './stations/admit/body-budget.ts'
import { openRates, type Rates } from './stations/admit/rates.ts'
import { openTokenRates, type TokenRates } from './stations/admit/token-rates.ts'
import { openCallSignatures, type CallSignatures } from './stations/attempt/call-signatures.ts'
import type { CallerReads } from './own-account/caller-reads.ts'
import type { AttemptFailure } from './stations/attempt/failure.ts'
import { openKeptThreads, type KeptThreads } from './affinity/kept-threads.ts'
import { openTurnReasoning, type TurnReasoning } from './reasoning/turn-reasoning.ts'
import { openSealBook, type SealBook } from './seals/seal-book.ts'
import { openSessions, type Sessions } from './sessions/sessions.ts'
import { FrameBudget } from './sockets/frame-budget.ts'
import { OpenSockets } from './sockets/open-sockets.ts'
import { openRefusals, type Refusals } from './stations/record/refusals.ts'
import type { Choice } from './stations/route/choice.ts'
import { KeyHealth } from './stations/route/key-health.ts'
import type { Tracing } from './tracing.ts'
import { type BodyReader, openBodyReader } from './threads/body-reader.ts'
import { ChannelTraffic } from './traffic.ts'
import { openTranscriptRecorder, type TranscriptRecorder } from './transcript/recorder.ts'
import { openTokenRefusals, type TokenRefusals } from './token-refusals.ts'
import { Watch } from './watch.ts'

/** What tasks need besides what every call needs. */
export interface TaskServices extends Pick<TaskUpdatePorts, 'db' | 'notifier'> {
  readonly cipher: Pick<Cipher, 'mark'>
  /** The address on which this process listens, for a site without a configured address. */
  readonly ownAddress: () => string
}

/** What the rest of the server gives the relay. */
export interface RelayDeps {
  /** For limits on the number of calls per user. */
  readonly limiter: Coordination['limiter']
  /** For signatures of earlier responses that upstreams require back and callers cannot send. */
  readonly ttlCache: Coordination['ttlCache']
  readonly snapshots: Snapshots
  readonly ledger: CallLedger
  readonly egress: Pick<Egress, 'dispatcher' | 'exchange' | 'socket'>
  /** For addresses given by callers: must reach public addresses only, even if channels may reach others. */
  readonly mediaEgress: Pick<Egress, 'exchange' | 'dispatcher'>
  /** For providers that exchange the key for an access token; shared with the task poller. */
  readonly accessTokens: TokenCache
  /** For providers whose keys expire. */
  readonly credentialRefresh: Pick<CredentialRefresh, 'usable' | 'renew'>
  /** Wall time, for signatures and for times given by upstreams. */
  readonly clock: Clock
  readonly log: Log
  /** Uniform in [0, 1), for the random choice of channels. */
  readonly random?: () => number
  readonly limits?: Partial<RelayLimits>
  /** Requests usage from streams even if the caller did not; default true. */
  readonly forcesUsage?: boolean
  /** The client's address as determined after trusted proxies. */
  readonly clientAddress: (request: IncomingMessage) => string
  /**
   * Counts requests that need no upstream against the API rate limit; rejects with a Problem beyond it.
   * Default: no limit.
   */
  readonly countAddress?: (address: string) => Promise<void>
  /**
   * Counts an unknown key by client address; throws a Problem beyond the limit. Never called for a valid key.
   * Default: no limit.
   */
  readonly countWrongKey?: (address: string) => void
  /**
   * The user signed in to the console. Rejects with a Problem when there is no session, or when the
   * credential is not a browser session.
   */
  readonly identifySession: (request: IncomingMessage) => Promise<{ readonly userId: number }>
  /**
   * Writes the channel's new status and publishes the change; the roster of this process has already been
   * changed.
   */
  readonly disableChannel: (input: { channelId: number; reason: string }) => Promise<void>
  /** Does the same for one of several keys. */
  readonly disableKey: (input: { channelId: number; key: string; reason: string }) => Promise<void>
  /** Traffic per channel, for operators; owned by the code that shows it. */
  readonly health?: KeyHealth
  readonly traffic?: ChannelTraffic
  /** Owned by the code that serves `/metrics`. */
  readonly metrics?: CallMetrics
  /** Absent where calls are not traced. */
  readonly tracing?: Pick<Tracing, 'begin' | 'of'> | undefined
  /** Owned by the code that shows it to operators. */
  readonly affinity?: Affinity
  /** Lessons learned from refusals; owned by the code that shows them to operators. */
  readonly lessons?: ChannelLessons
  /** Called when a token turns out to be expired (3) or used up (4), so that its row can be marked. */
  readonly markToken: (input: { tokenId: number; status: 3 | 4 }) => Promise<void>
  /** Writes error rows for calls that never had a hold. */
  readonly writeLogRows: (rows: readonly UsageLogRow[]) => Promise<void>
  /** Adds to the sums of refused calls of tokens, at a time in seconds. */
  readonly writeTokenRefusals: (counts: readonly RefusedCount[], at: number) => Promise<void>
  /** Writes the encrypted texts of calls, where the operator keeps them. */
  readonly writeLogTexts: (rows: readonly LogTextTable[]) => Promise<void>
  readonly cipher: Pick<Cipher, 'encrypt' | 'decrypt'>
  readonly reads: CallerReads
  /** For asynchronous tasks, which outlive their call. */
  readonly tasks: TaskServices
}

type AsGiven =
  | 'snapshots'
  | 'ledger'
  | 'egress'
  | 'mediaEgress'
  | 'accessTokens'
  | 'credentialRefresh'
  | 'clock'
  | 'log'
  | 'tracing'
  | 'clientAddress'
  | 'countAddress'
  | 'countWrongKey'
  | 'identifySession'
  | 'reads'
type WithDefault = 'random' | 'forcesUsage' | 'health' | 'traffic' | 'metrics' | 'lessons' | 'affinity'

/**
 * What was wired for the relay, once per process. Stations, tasks and sessions take it; a function that needs
 * little takes a `Pick` of it.
 */
export interface App extends Pick<RelayDeps, AsGiven>, Required<Pick<RelayDeps, WithDefault>>, TaskServices {
  readonly limits: RelayLimits
  /** Monotonic time. */
  readonly now: () => number
  readonly rates: Rates
  readonly tokenRates: TokenRates
  readonly callSignatures: CallSignatures
  readonly sealBook: SealBook
  readonly turnReasoning: TurnReasoning
  readonly bodies: BodyBudget
  readonly answers: AnswerRooms
  readonly turns: TurnShare
  readonly frames: FrameBudget
  readonly sockets: OpenSockets
  readonly bodyReader: BodyReader
  readonly watch: Watch
  readonly inFlight: InFlight
  readonly leftCalls: LeftCalls
  readonly transcripts: TranscriptRecorder
  readonly longAnswers: LongAnswers
  readonly refusals: Refusals
  readonly tokenRefusals: TokenRefusals
  readonly failureLog: FailureLog
  readonly sessions: Sessions
  readonly keptThreads: KeptThreads
  /** Called when a token turns out to be expired, so that its row can be marked; must not throw. */
  readonly onTokenExpired: (tokenId: number) => void
  /** Called when a token's own quota is used up, so that its row can be marked; must not throw. */
  readonly onTokenExhausted: (tokenId: number) => void
  /** Called when the upstream refused one of several keys; must not throw. */
  readonly onKeyRefused: (choice: Choice, failure: AttemptFailure) => void
  /** Called when the upstream refused a channel's last usable key; must not throw. */
  readonly onChannelRefused: (channelId: number, failure: RefusedReason) => void
}

/** What an attempt works with. */
export interface AttemptApp extends Omit<App, 'ledger'> {
  readonly ledger: Pick<CallLedger, 'extend' | 'checkpoint' | 'isHeld'>
}

type RefusedReason = Pick<AttemptFailure, 'code' | 'status' | 'detail'>

/** Side effects outside the snapshots are started but not awaited. */
export function openApp(deps: RelayDeps): App {
  const { snapshots, clock, log } = deps
  const limits = { ...defaultRelayLimits, ...deps.limits }
  const onMiscount = (error: unknown) => log.warn({ error }, 'could not correct a rate limit count')
  const mark = (tokenId: number, status: 3 | 4): void => {
    const onError = (error: unknown) =>
      log.warn({ error, tokenId }, 'could not mark a token as expired or used up')
    deps.markToken({ tokenId, status }).catch(onError)
  }
  const watch = new Watch(clock, (error) => log.error({ error }, 'a time limit check of a call failed'))
  const onTokenExpired = (tokenId: number): void => mark(tokenId, 3)
  return {
    ...deps,
    ...deps.tasks,
    limits,
    rates: openRates(deps, onMiscount),
    tokenRates: openTokenRates(deps, onMiscount),
    callSignatures: openCallSignatures(deps),
    sealBook: openSealBook(deps),
    turnReasoning: openTurnReasoning(deps),
    bodies: new BodyBudget(limits),
    answers: new AnswerRooms(limits, watch),
    turns: new TurnShare(),
    frames: new FrameBudget(limits),
    sockets: new OpenSockets({ ...deps, watch, onTokenExpired }),
    bodyReader: openBodyReader(log),
    watch,
    inFlight: new InFlight(),
    leftCalls: new LeftCalls(),
    transcripts: openTranscriptRecorder(deps),
    longAnswers: new LongAnswers(deps),
    refusals: openRefusals(deps),
    tokenRefusals: openTokenRefusals(deps),
    failureLog: openFailureLog(log),
    sessions: openSessions(deps.tasks.cipher, deps),
    keptThreads: openKeptThreads(deps),
    now: () => clock.monotonicMs(),
    random: deps.random ?? Math.random,
    health: deps.health ?? new KeyHealth(),
    traffic: deps.traffic ?? new ChannelTraffic(clock),
    metrics: deps.metrics ?? new CallMetrics(),
    affinity: deps.affinity ?? openAffinity(deps),
    lessons: deps.lessons ?? new ChannelLessons(deps),
    forcesUsage: deps.forcesUsage ?? true,
    onTokenExpired,
    onTokenExhausted: (tokenId) => mark(tokenId, 4),
    onKeyRefused: ({ channel, keyIndex }, failure) => {
      const input = { channelId: channel.id, key: channel.keys[keyIndex] ?? '', reason: reasonOf(failure) }
      const onError = (error: unknown) =>
        log.error({ error, channelId: channel.id }, 'could not disable a key that its upstream refused')
      deps.disableKey(input).catch(onError)
    },
    onChannelRefused: (channelId, failure) => {
      snapshots.withdrawChannel(channelId)
      const onError = (error: unknown) =>
        log.error({ error, channelId }, 'could not disable a channel that its upstream refused')
      deps.disableChannel({ channelId, reason: reasonOf(failure) }).catch(onError)
    },
  }
}

function reasonOf({ status, code, detail }: RefusedReason): string {
  return `status ${status}, code ${code}: ${detail}`
}
