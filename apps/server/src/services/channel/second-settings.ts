import type { ChannelFields } from '@tollgate/contract/channel-fields'
import { mergeSettings } from '@tollgate/kit/merge-settings'

/**
 * new-api has two JSON objects of settings, and some members of the second one limit what reaches an upstream.
 * They become members of the one that channels have here.
 */
export function withSecondSettings<Fields extends Pick<ChannelFields, 'setting' | 'settings'>>(
  { settings, ...fields }: Fields,
  stored: string,
): Omit<Fields, 'settings'> {
  const first = fields.setting ?? stored
  const merged = mergeSettings(first, settings ?? '')
  return merged === first.trim() ? fields : { ...fields, setting: merged }
}
