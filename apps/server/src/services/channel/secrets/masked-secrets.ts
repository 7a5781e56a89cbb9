import type { ChannelFields } from '@tollgate/contract/channel-fields'
import { type JsonObject, parseObject } from '@tollgate/kit/json'
import type { StoredChannelSettings } from '@tollgate/providers/channel-settings'
import {
  type ChannelSecretColumn,
  type ChannelSecrets,
  channelSecretColumns,
} from '@tollgate/store/channels/secrets'
import { headerMask } from './header-mask.ts'
import { type FieldMask, MASK } from './mask.ts'
import { overrideMask } from './override-mask.ts'
import { hideProxyLogin, restoreProxyLogin } from './proxy-mask.ts'
import { hideRoutes, restoreRoutes } from './route-mask.ts'

const settingMask: FieldMask = {
  hide: (stored: StoredChannelSettings) => ({
    ...stored,
    ...('proxy' in stored && { proxy: hideProxyLogin(stored.proxy) }),
    ...('advanced_routes' in stored && { advanced_routes: hideRoutes(stored.advanced_routes) }),
  }),
  restore: (sent: StoredChannelSettings, stored: StoredChannelSettings) => ({
    ...sent,
    ...('proxy' in sent && { proxy: restoreProxyLogin(sent.proxy, stored.proxy) }),
    ...('advanced_routes' in sent && {
      advanced_routes: restoreRoutes(sent.advanced_routes, stored.advanced_routes),
    }),
  }),
}

const masks: Readonly<Record<ChannelSecretColumn, FieldMask>> = {
  header_override: headerMask,
  param_override: overrideMask,
  setting: settingMask,
}

export const noSecrets: ChannelSecrets = { header_override: '', param_override: '', setting: '' }

/**
 * The field as it is shown in responses. Text that is not a JSON object, which an import may leave, is masked
 * completely.
 */
export function maskedText(column: ChannelSecretColumn, text: string): string {
  if (text === '') return ''
  const stored = parseObject(text)
  if (stored === undefined) return MASK
  const hidden = JSON.stringify(masks[column].hide(stored))
  return hidden === JSON.stringify(stored) ? text : hidden
}

export function maskedSecrets(secrets: ChannelSecrets): ChannelSecrets {
  return {
    header_override: maskedText('header_override', secrets.header_override),
    param_override: maskedText('param_override', secrets.param_override),
    setting: maskedText('setting', secrets.setting),
  }
}

/**
 * Replaces the masks in a form's fields with the stored values. Throws `channel_masked_value` for a mask
 * without a stored value.
 */
export function withStoredSecrets<Fields extends Pick<ChannelFields, ChannelSecretColumn>>(
  fields: Fields,
  stored: ChannelSecrets,
): Fields {
  const texts = channelSecretColumns.flatMap((column) => {
    const sent = fields[column]
    return typeof sent === 'string' ? [[column, restoredText(column, sent, stored[column])] as const] : []
  })
  return { ...fields, ...Object.fromEntries(texts) }
}

function restoredText(column: ChannelSecretColumn, sent: string, stored: string): string {
  if (!sent.includes(MASK)) return sent
  if (sent.trim() === maskedText(column, stored)) return stored
  const object = parseObject(sent)
  if (object === undefined) return sent
  const known = parseObject(stored) ?? {}
  const isUnchanged = JSON.stringify(object) === JSON.stringify(masks[column].hide(known))
  return isUnchanged ? stored : JSON.stringify(masks[column].restore(object, known))
}

/**
 * Whether a stored value that the caller did not enter again stays in force after the change. A proxy login
 * does not count, because it is kept only for the proxy it was entered for.
 */
export function keepsStoredValues(
  fields: Pick<ChannelFields, ChannelSecretColumn>,
  stored: ChannelSecrets,
): boolean {
  return channelSecretColumns.some((column) => {
    const sent = fields[column]
    const text = sent === undefined ? maskedText(column, stored[column]) : (sent ?? '')
    const { proxy, ...others }: JsonObject = parseObject(text) ?? {}
    const counted = column === 'setting' ? others : { proxy, ...others }
    return JSON.stringify(counted).includes(MASK)
  })
}
