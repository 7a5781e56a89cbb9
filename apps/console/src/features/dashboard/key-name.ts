import type { UsageKeyName } from '@tollgate/contract/usage'
import type { Translate } from '../../shared/i18n/messages.ts'
import type { DashboardKey } from './i18n.ts'
import type { KeySums } from './series/series.ts'

/** The name of a key on screen. Calls without a token come from the playground. */
export function keyName(key: KeySums, by: UsageKeyName, t: Translate<DashboardKey>): string {
  if (key.isRest) return t('rest')
  if (by === 'token' && key.key === '0') return t('playground')
  if (by === 'channel' && key.key === '0') return t('noChannel')
  if (by === 'channel') return key.label === key.key ? `#${key.key}` : `#${key.key} ${key.label}`
  return key.label === '' ? t('unnamed') : key.label
}
