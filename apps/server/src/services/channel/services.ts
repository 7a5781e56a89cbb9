import type { Egress } from '@tollgate/egress/egress'
import type { Provider } from '@tollgate/providers/provider'
import type { ProbePort } from '../../ports/channel-probe.ts'
import type { RoutingInsight } from '../../ports/channel-insight.ts'
import type { Snapshots } from '../../snapshots/snapshots.ts'
import type { CredentialRefresh } from '../../keys/credential-refresh.ts'
import type { Searches } from '../searches.ts'
import type { Services } from '../services.ts'

/** Services for channels: they also know the providers and may call upstreams. */
export interface ChannelServices extends Services {
  readonly providers: readonly Provider[]
  readonly egress: Pick<Egress, 'exchange'>
  readonly probe: ProbePort
  readonly searches: Searches
  readonly routing: RoutingInsight
  readonly snapshots: Snapshots
  readonly credentialRefresh: Pick<CredentialRefresh, 'renew'>
}

export function providerOf(services: Pick<ChannelServices, 'providers'>, type: number): Provider | undefined {
  return services.providers.find((provider) => provider.type === type)
}
