import { type ExplainedChannel, type OPERATIONS } from '@tollgate/contract/channel-insight'
import type { Egress } from '@tollgate/egress/egress'
import type { Buckets } from '@tollgate/kit/buckets'
import type { Language } from '@tollgate/problems/problem'
import type { Provider } from '@tollgate/providers/provider'
import type { Snapshots, RosterChannel } from '../../snapshots/snapshots.ts'
import type { CredentialRefresh } from '../../keys/credential-refresh.ts'
import type { Searches } from '../searches.ts'
import type { Services } from '../services.ts'

/** Services for channels: they also know the providers and may call upstreams. */
export interface ChannelServices extends Services {
  readonly providers: readonly Provider[]
  readonly egress: Pick<Egress, 'exchange'>
  readonly probe: ProbePort
  readonly searches: Searches
  readonly routing: RoutingPort
  readonly snapshots: Snapshots
  readonly credentialRefresh: Pick<CredentialRefresh, 'renew'>
}

/** What the relay in this process knows about its channels, and how it would route a call. */
export interface RoutingPort {
  /** In the order of the keys; empty for a channel that cannot be used. */
  keySnapshots(channelId: number): readonly KeySnapshot[]
  /** Resets the recorded failures of these keys, which are named by their hashes. */
  pardonKeys(channelId: number, hashes: ReadonlySet<string>): void
  isResting(channelId: number): boolean
  /** Traffic counts that are not stored in the database yet. */
  traffic(): readonly SeenTraffic[]
  explain(question: RouteQuestion): RouteExplanation
  /** What the relay learned about the channel's models from refused requests, oldest first. */
  lessonsOf(channelId: number): Promise<readonly LearnedLesson[]>
  /** Applies to every process. */
  forgetLessons(channelId: number): Promise<void>
}

export interface LearnedLesson {
  /** "" applies to every model. */
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

/**
 * Sends one small call through a channel in the same way as the relay. An upstream failure does not reject;
 * it is part of the result.
 */
export interface ProbePort {
  probe(input: { channelId: number; model?: string; language?: Language }): Promise<ProbeResult>
}

export interface ProbeResult {
  readonly ok: boolean
  /** Reason of a failure; safe to show to an operator. */
  readonly message: string
  readonly durationMs: number
  /** Status of the upstream's response that decided the test; absent when there was no response. */
  readonly status?: number
  readonly model?: string
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number }
  /** Cost of the call before the group ratio. */
  readonly units?: bigint
  /** Every key that was tried. */
  readonly keys: readonly KeyProbe[]
}

export interface KeyProbe {
  /** The key in clear. It is only used to compute its hash. */
  readonly key: string
  /** The key was already disabled and is tried to see whether it works again. */
  readonly isDisabled: boolean
  readonly ok: boolean
  readonly message: string
  /** How strongly the response indicates that the key itself is at fault. */
  readonly evidence: 'none' | 'likely' | 'certain'
}

export function providerOf(services: Pick<ChannelServices, 'providers'>, type: number): Provider | undefined {
  return services.providers.find((provider) => provider.type === type)
}
