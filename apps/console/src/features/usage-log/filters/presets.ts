import type { Dayjs } from 'dayjs'
import type { Translate } from '../../../shared/i18n/messages.ts'
import type { UsageLogKey } from '../i18n/index.ts'

export interface Preset {
  readonly label: string
  readonly value: [Dayjs, Dayjs]
}

/** The preset ranges. */
export function presets(t: Translate<UsageLogKey>, now: Dayjs): Preset[] {
  const soon = now.add(1, 'hour')
  const yesterday = now.subtract(1, 'day')
  return [
    { label: t('range.lastHour'), value: [now.subtract(1, 'hour'), soon] },
    { label: t('range.today'), value: [now.startOf('day'), soon] },
    { label: t('range.yesterday'), value: [yesterday.startOf('day'), yesterday.endOf('day')] },
    { label: t('range.week'), value: [now.subtract(6, 'day').startOf('day'), soon] },
    { label: t('range.month'), value: [now.subtract(29, 'day').startOf('day'), soon] },
  ]
}
