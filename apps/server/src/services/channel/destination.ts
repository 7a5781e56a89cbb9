import type { StoredChannelSettings } from '@tollgate/providers/channel-settings'
import type { Provider } from '@tollgate/providers/provider'
import type { ChannelSecrets } from '@tollgate/store/channels/secrets'
import { jsonObject } from '../../snapshots/json-object.ts'
import { addressOf } from './secrets/proxy-mask.ts'

/** The parts of a channel that decide which servers receive its key; secrets in clear. */
export interface Destination {
  readonly type: number
  readonly base_url: string
  readonly other: string
  readonly secrets: ChannelSecrets
}

type Kind = Pick<Provider, 'baseUrl' | 'other'> | undefined

/** Whether the key could reach a server that did not get it before. `provider` is the one of `next`. */
export function isMoved(former: Destination, next: Destination, provider: Kind): boolean {
  if (former.type !== next.type) return true
  return placeOf(former, provider) !== placeOf(next, provider) || showsKeyAnew(former, next)
}

function placeOf({ base_url: baseUrl, other, secrets }: Destination, provider: Kind): string {
  const { proxy, advanced_routes: routes }: StoredChannelSettings = jsonObject(secrets.setting)
  return JSON.stringify([
    baseUrl.trim().replace(/\/+$/, '') || provider?.baseUrl,
    placeInOther(other.trim(), provider?.other),
    addressOf(proxy)?.href ?? '',
    routes ?? [],
  ])
}

/** A field that the provider does not read has no influence on the destination. */
function placeInOther(other: string, field: Provider['other']): string {
  if (field === undefined || field.staysAtOrigin) return ''
  return other || (field.usual ?? '')
}

/** A header rule that existed before or is removed sends the key to no new place. */
function showsKeyAnew(former: Destination, next: Destination): boolean {
  const known = jsonObject(former.secrets.header_override)
  const rules = Object.entries(jsonObject(next.secrets.header_override))
  return rules.some(([name, value]) => String(value).includes('{api_key}') && known[name] !== value)
}
