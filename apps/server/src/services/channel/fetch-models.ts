import type { channelRoutes } from '@tollgate/contract/channel'
import { problem } from '@tollgate/kit/problem'
import type { Outgoing, Provider, Upstream } from '@tollgate/providers/provider'
import { channelKeyContext } from '@tollgate/store/channels'
import type { Handler } from '../handler.ts'
import { readFields, requireBaseUrl, requireProvider } from './fields.ts'
import { storedChannel } from './get.ts'
import { readKeys, splitKeys } from './keys.ts'
import { type ChannelServices, providerOf } from './services.ts'

const TIMEOUT_MS = 15_000
const ANSWER_BYTES_MAX = 4 * 1024 * 1024
const MODELS_MAX = 5000

/** Address and key both come from the stored channel: nothing of the request decides where its key is sent. */
export function fetchModels(services: ChannelServices): Handler<typeof channelRoutes.fetchModels> {
  const { store, seal } = services
  return async ({ params }) => {
    const row = await storedChannel(store, params.id)
    const provider = requireProvider(providerOf(services, row.type), row.type)
    const [key = ''] = splitKeys(seal.open(row.key_sealed, channelKeyContext(row.id)))
    return ask(services, provider, {
      ...nobody,
      channelId: row.id,
      type: row.type,
      key,
      baseUrl: baseUrlOf(provider, row.base_url),
      other: row.other,
      organization: row.openai_organization,
      createdTime: row.created_time,
    })
  }
}

/** A form that is not saved yet: address and key both come from it. */
export function fetchModelsByForm(
  services: ChannelServices,
): Handler<typeof channelRoutes.fetchModelsByForm> {
  return async ({ body }) => {
    const provider = requireProvider(providerOf(services, body.type), body.type)
    const [key = ''] = splitKeys(readKeys(body.key, provider))
    const { base_url: baseUrl = '' } = readFields({ base_url: body.base_url ?? null }, body.type)
    return ask(services, provider, {
      ...nobody,
      type: body.type,
      key,
      baseUrl: baseUrlOf(provider, baseUrl),
      other: body.other ?? '',
    })
  }
}

const nobody = { channelId: 0, other: '', organization: '', createdTime: 0, setting: {} }

function baseUrlOf(provider: Provider, baseUrl: string): string {
  requireBaseUrl(provider, baseUrl)
  return baseUrl || (provider.baseUrl ?? '')
}

async function ask({ egress }: ChannelServices, provider: Provider, upstream: Upstream): Promise<string[]> {
  if (!provider.modelList) throw problem('channel_models_not_listed')
  const answer = await egress.exchange({
    method: 'GET',
    url: provider.modelList.url(upstream),
    headers: { accept: 'application/json', ...provider.sign(upstream, noCall) },
    timeoutMs: TIMEOUT_MS,
    bytesMax: ANSWER_BYTES_MAX,
  })
  if (answer.status !== 200) throw problem('channel_models_status', { status: answer.status })
  const names = provider.modelList.read(parse(answer.body))
  return [...new Set(names)].slice(0, MODELS_MAX)
}

/** A list is asked for, not a call; a header writer that looks at the call sees an empty one. */
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
