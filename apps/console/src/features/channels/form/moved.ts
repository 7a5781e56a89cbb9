import type { ChannelType } from '@tollgate/contract/channel-upstream'
import type { ChannelFormValue } from '../form-value.ts'
import { settingObject, textOf } from './setting-object.ts'

type Place = Pick<ChannelFormValue, 'type' | 'baseUrl' | 'other' | 'headerOverride' | 'setting'>

/**
 * Whether saving would send the stored key to another address. The server decides; this check warns before
 * the form is sent.
 */
export function isMoved(stored: Place, entered: Place, type: ChannelType | undefined): boolean {
  if (stored.type !== entered.type) return true
  return placeOf(stored, type) !== placeOf(entered, type) || showsKeyAnew(stored, entered)
}

/** The placeholder that the server puts in place of a stored secret value. */
const MASK = '***'

export function hasMasks(
  value: Pick<ChannelFormValue, 'headerOverride' | 'parameterOverride' | 'setting'>,
): boolean {
  return [value.headerOverride, value.parameterOverride, value.setting].some((text) => text.includes(MASK))
}

/**
 * Whether masked values other than the login of a proxy would stay in force. The login stays with that proxy.
 */
export function keepsMasks(
  value: Pick<ChannelFormValue, 'headerOverride' | 'parameterOverride' | 'setting'>,
): boolean {
  const { proxy: _login, ...setting } = settingObject(value.setting) ?? {}
  return hasMasks({ ...value, setting: JSON.stringify(setting) })
}

/**
 * The login in a proxy URL. It is masked in the stored value, so it cannot be compared here and is removed.
 */
const LOGIN = /^([a-z0-9]+:\/\/)[^/@]*@/i

function placeOf({ baseUrl, other, setting }: Place, type: ChannelType | undefined): string {
  const object = settingObject(setting) ?? {}
  return JSON.stringify([
    baseUrl.trim().replace(/\/+$/, '') || type?.base_url,
    placeInOther(other.trim(), type),
    textOf(object, 'proxy').trim().replace(LOGIN, '$1').replace(/\/+$/, ''),
    placesOfRoutes(object['advanced_routes']),
  ])
}

function placeInOther(other: string, type: ChannelType | undefined): string {
  if (type?.other === undefined || type.other.stays_at_origin) return ''
  return other || type.other.usual
}

/** The parts of each route that decide where it leads, without the values that may be masked. */
function placesOfRoutes(table: unknown): unknown {
  if (!Array.isArray(table)) return []
  return table.map((route: Readonly<Record<string, unknown>> | null) => [
    String(route?.['upstream_path']).replace(/\?.*$/, ''),
    JSON.stringify(route?.['auth'], ['type', 'name']),
  ])
}

function showsKeyAnew(stored: Place, entered: Place): boolean {
  const known = settingObject(stored.headerOverride) ?? {}
  const rules = Object.entries(settingObject(entered.headerOverride) ?? {})
  return rules.some(([name, value]) => String(value).includes('{api_key}') && known[name] !== value)
}
