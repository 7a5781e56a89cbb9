import { proxyAddress } from '@tollgate/egress/proxies'
import { problem } from '@tollgate/problems/problem'
import type { Outgoing, Provider, Upstream } from '@tollgate/providers/provider'
import { settingsIn } from '../../snapshots/channel.ts'
import { requireBaseUrl } from './fields.ts'
import type { StoredChannel } from './stored-channel.ts'
import type { ChannelServices } from './services.ts'

const TIMEOUT_MS = 15_000
const ANSWER_BYTES_MAX = 4 * 1024 * 1024

export interface UpstreamQuestion {
  readonly upstream: Upstream
  readonly url: string
  /** Set when the endpoint expects the key in another header than calls do. */
  readonly authHeaders?: Provider['authHeaders'] | undefined
}

/**
 * Sends a small GET request to an upstream with a channel's key, for example for its models or balance.
 * Throws a problem if the response is not usable.
 */
export async function readUpstream(
  egress: ChannelServices['egress'],
  provider: Provider,
  { upstream, url, authHeaders = provider.authHeaders }: UpstreamQuestion,
): Promise<unknown> {
  const answer = await egress.exchange({
    method: 'GET',
    url,
    headers: { accept: 'application/json', ...authHeaders(upstream, noCall) },
    timeoutMs: TIMEOUT_MS,
    bytesMax: ANSWER_BYTES_MAX,
    proxy: proxyAddress(upstream.settings.proxy),
  })
  if (answer.status !== 200) throw problem('channel_models_status', { status: answer.status })
  return parse(answer.body)
}

/** Address and key both come from the stored channel, so that no request can direct a key elsewhere. */
export function upstreamOfRow(row: StoredChannel, provider: Provider, key: string): Upstream {
  return {
    channelId: row.id,
    type: row.type,
    key,
    baseUrl: baseUrlOf(provider, row.base_url),
    other: row.other,
    organization: row.openai_organization,
    createdTime: row.created_time,
    settings: settingsIn(row.secrets.setting),
  }
}

export function baseUrlOf(provider: Provider, baseUrl: string): string {
  requireBaseUrl(provider, baseUrl)
  return baseUrl || (provider.baseUrl ?? '')
}

/** There is no call; a provider that looks at the call to build its headers gets an empty one. */
const noCall: Outgoing = {
  operation: 'chat',
  model: '',
  isStream: false,
  query: new URLSearchParams(),
  body: {},
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch (cause) {
    throw problem('channel_models_unreadable', {}, { cause })
  }
}
