import type { channelRoutes } from '@tollgate/contract/channel'
import { problem } from '@tollgate/problems/problem'
import { readListError } from '@tollgate/providers/define/model-list'
import type { Provider, Upstream } from '@tollgate/providers/provider'
import { channelKeyContext, listAddressesOfType } from '@tollgate/store/channels/channels'
import { settingsIn } from '../../snapshots/channel.ts'
import type { Handler } from '../handler.ts'
import { readFields, requireProvider } from './fields.ts'
import { storedChannel } from './stored-channel.ts'
import { readKeys } from './keys.ts'
import { baseUrlOf, readUpstream, upstreamOfRow } from './read-upstream.ts'
import { noSecrets, withStoredSecrets } from './secrets/masked-secrets.ts'
import { type ChannelServices, providerOf } from './services.ts'

const MODELS_MAX = 5000

export function fetchModels(services: ChannelServices): Handler<typeof channelRoutes.fetchModels> {
  return ({ params }) => askStored(services, params.id)
}

async function askStored(services: ChannelServices, id: number): Promise<string[]> {
  const row = await storedChannel(services, id)
  const provider = requireProvider(providerOf(services, row.type), row.type)
  const [key = ''] = services.cipher.decrypt(row.key_sealed, channelKeyContext(row.id)).split('\n')
  return ask(services, provider, upstreamOfRow(row, provider, key))
}

/**
 * Lists the models for an unsaved form; address, key and proxy all come from the form. The edit form of a
 * console written for new-api sends neither the stored key nor the channel's id; then everything comes from a
 * stored channel with the same address.
 */
export function fetchModelsByForm(
  services: ChannelServices,
): Handler<typeof channelRoutes.fetchModelsByForm> {
  return async ({ body }) => {
    const provider = requireProvider(providerOf(services, body.type), body.type)
    const sentKey = body.key ?? ''
    const stored =
      sentKey.trim() === '' ? await channelAt(services, provider, body.base_url ?? '') : undefined
    if (stored !== undefined) return askStored(services, stored)
    const [key = ''] = readKeys(sentKey, provider).split('\n')
    // Stored secrets are never sent to an address from a form, so a masked proxy login must be entered again.
    const { base_url = null, setting: sentSetting = null } = withStoredSecrets(body, noSecrets)
    const { base_url: baseUrl = '', setting = '' } = readFields({ base_url, setting: sentSetting }, provider)
    return ask(services, provider, {
      channelId: 0,
      organization: '',
      createdTime: 0,
      settings: settingsIn(setting),
      type: body.type,
      key,
      baseUrl: baseUrlOf(provider, baseUrl),
      other: body.other ?? '',
    })
  }
}

/** Returns the id of a channel of this type that has a key and uses this address. */
async function channelAt(
  { store }: ChannelServices,
  provider: Provider,
  baseUrl: string,
): Promise<number | undefined> {
  const placeOf = (address: string) => address.trim().replace(/\/+$/, '') || provider.baseUrl
  const place = placeOf(baseUrl)
  const known = await listAddressesOfType(store, provider.type)
  return known.find(({ base_url: address }) => placeOf(address) === place)?.id
}

async function ask({ egress }: ChannelServices, kind: Provider, upstream: Upstream): Promise<string[]> {
  const provider = kind.forChannel?.(upstream) ?? kind
  const { modelList } = provider
  if (!modelList) throw problem('channel_models_not_listed')
  const body = await readUpstream(egress, provider, { upstream, url: modelList.url(upstream) })
  const names = modelList.read(body)
  const message = names.length === 0 ? readListError(body) : undefined
  if (message !== undefined) throw problem('channel_models_refused', { message })
  return [...new Set(names)].slice(0, MODELS_MAX)
}
