import { type ExplainedChannel, type OPERATIONS } from '@tollgate/contract/channel-insight'
import type { Egress } from '@tollgate/egress/egress'
import type { Buckets } from '@tollgate/kit/buckets'
import type { Language } from '@tollgate/kit/problem'
import type { Provider } from '@tollgate/providers/provider'
import type { Snapshots, RosterChannel } from '../../snapshots/snapshots.ts'
import type { CredentialRefresh } from '../../keys/credential-refresh.ts'
import type { Searches } from '../searches.ts'
import type { Services } from '../services.ts'

/** Channels also know the kinds of upstream, and reach out to them. */
export interface ChannelServices extends Services {
  readonly providers: readonly Provider[]
  readonly egress: Pick<Egress, 'exchange'>
  readonly probe: ProbePort
  readonly searches: Searches
  readonly routing: RoutingPort
  readonly snapshots: Snapshots
  readonly credentialRefresh: Pick<CredentialRefresh, 'renew'>
}

/** What the relay of this process knows of its channels, and how it would choose. */
export interface RoutingPort {
  /** In the order of the keys; empty for a channel that cannot be used. */
  lookAtKeys(channelId: number): readonly KeySnapshot[]
  /** What was held against these keys is forgotten; they are named by their hashes. */
  pardonKeys(channelId: number, hashes: ReadonlySet<string>): void
  isResting(channelId: number): boolean
  /** Not yet written down. */
  traffic(): readonly SeenTraffic[]
  explain(question: RouteQuestion): RouteExplanation
  /** What refusals taught of its models, the oldest first. */
  lessonsOf(channelId: number): Promise<readonly LearnedLesson[]>
  /** In every process. */
  forgetLessons(channelId: number): Promise<void>
}

export interface LearnedLesson {
  /** "" for every model. */
  readonly model: string
  readonly name: string
  readonly learnedMs: number
  readonly endsMs: number
}

export interface KeySnapshot {
  readonly state: 'ready' | 'resting' | 'open'
  readonly restMs: number
  readonly uses: number
}

export interface SeenTraffic {
  readonly channelId: number
  readonly succeeded: number
  readonly failed: number
  readonly firstBytes: Buckets
  readonly errors: readonly {
    readonly at_ms: number
    readonly status: number
    readonly code: string
    readonly detail: string
  }[]
}

export interface RouteQuestion {
  readonly group: string
  readonly model: string
  readonly operation: (typeof OPERATIONS)[number]
  readonly retries: number
  readonly failing: ReadonlySet<number>
  readonly draws: number
}

export interface RouteExplanation {
  readonly model: string
  readonly channels: readonly {
    readonly channel: RosterChannel
    readonly standing: ExplainedChannel['standing']
    readonly tier: number | undefined
    readonly share: number
    readonly keysReady: number
  }[]
  readonly attempts: readonly ReadonlyMap<number, number>[]
  readonly unserved: number
}

/** Sends one small call through a channel, the way the relay would. It never rejects for what an upstream does. */
export interface ProbePort {
  probe(input: { channelId: number; model?: string; language?: Language }): Promise<ProbeResult>
}

export interface ProbeResult {
  readonly ok: boolean
  /** Why not; safe to show to an operator. */
  readonly message: string
  readonly durationMs: number
  /** Of the upstream's answer, by which the test was judged; absent when none came. */
  readonly status?: number
  readonly model?: string
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number }
  /** What the call would have cost, before the group's ratio. */
  readonly units?: bigint
  /** Every key that was tried. */
  readonly keys: readonly KeyProbe[]
}

export interface KeyProbe {
  /** In clear: it goes no further than to be named by its hash. */
  readonly key: string
  /** It was out of the rotation already, and is tried to see whether it is back. */
  readonly isDisabled: boolean
  readonly ok: boolean
  readonly message: string
  /** What the answer says about the key. */
  readonly evidence: 'none' | 'likely' | 'certain'
}

export function providerOf(services: Pick<ChannelServices, 'providers'>, type: number): Provider | undefined {
  return services.providers.find((provider) => provider.type === type)
}
