import type { Egress } from '@tollgate/egress/egress'
import type { Provider } from '@tollgate/providers/provider'
import type { Searches } from '../searches.ts'
import type { Services } from '../services.ts'

/** Channels also know the kinds of upstream, and reach out to them. */
export interface ChannelServices extends Services {
  readonly providers: readonly Provider[]
  readonly egress: Pick<Egress, 'exchange'>
  readonly probe: ProbePort
  readonly searches: Searches
}

/** Sends one small call through a channel, the way the relay would. It never rejects for what an upstream does. */
export interface ProbePort {
  probe(input: { channelId: number; model?: string }): Promise<ProbeResult>
}

export interface ProbeResult {
  readonly ok: boolean
  /** Why not; safe to show to an operator. */
  readonly message: string
  readonly durationMs: number
  readonly model?: string
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number }
  /** What the call would have cost, before the group's ratio. */
  readonly units?: bigint
}

export function providerOf(services: Pick<ChannelServices, 'providers'>, type: number): Provider | undefined {
  return services.providers.find((provider) => provider.type === type)
}
