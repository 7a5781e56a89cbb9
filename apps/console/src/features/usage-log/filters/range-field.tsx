import { DatePicker, Input } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import type { Translate } from '../../../shared/i18n/messages.ts'
import { useIsPhone } from '../../../shared/page/use-is-phone.ts'
import { type UsageLogKey, usageLogMessages } from '../i18n.ts'
import type { LogFilters, TimeRange } from './search.ts'

type RangeFilters = Pick<LogFilters, 'start_timestamp' | 'end_timestamp'>

interface RangeFieldProps {
  readonly filters: RangeFilters
  readonly standardRange: TimeRange
  readonly onChange: (range: RangeFilters) => void
}

const SHOWN_FORMAT = 'YYYY-MM-DD HH:mm'

/** From when until when. Cleared, it is the default range again. A phone shows its own two pickers. */
export function RangeField({ filters, standardRange, onChange }: RangeFieldProps) {
  const t = usageLogMessages.use()
  const isPhone = useIsPhone()
  const range = {
    start: filters.start_timestamp || standardRange.start,
    end: filters.end_timestamp || standardRange.end,
  }
  if (isPhone) return <PhoneRange range={range} onChange={onChange} />
  return (
    <DatePicker.RangePicker
      style={{ width: 306 }}
      showTime={{ format: 'HH:mm' }}
      format={SHOWN_FORMAT}
      aria-label={t('filter.range')}
      value={[dayjs.unix(range.start), dayjs.unix(range.end)]}
      presets={presets(t, dayjs())}
      onChange={(moments) =>
        onChange({ start_timestamp: moments?.[0]?.unix() ?? 0, end_timestamp: moments?.[1]?.unix() ?? 0 })
      }
    />
  )
}

interface PhoneRangeProps {
  readonly range: TimeRange
  readonly onChange: (range: RangeFilters) => void
}

const FIELD_FORMAT = 'YYYY-MM-DDTHH:mm'

function PhoneRange({ range, onChange }: PhoneRangeProps) {
  const t = usageLogMessages.use()
  return (
    <>
      <Input
        type="datetime-local"
        aria-label={t('filter.from')}
        value={dayjs.unix(range.start).format(FIELD_FORMAT)}
        onChange={(event) =>
          onChange({ start_timestamp: secondsOf(event.target.value), end_timestamp: range.end })
        }
      />
      <Input
        type="datetime-local"
        aria-label={t('filter.until')}
        value={dayjs.unix(range.end).format(FIELD_FORMAT)}
        onChange={(event) =>
          onChange({ start_timestamp: range.start, end_timestamp: secondsOf(event.target.value) })
        }
      />
    </>
  )
}

function secondsOf(text: string): number {
  return dayjs(text).isValid() ? dayjs(text).unix() : 0
}

function presets(t: Translate<UsageLogKey>, now: Dayjs): { label: string; value: [Dayjs, Dayjs] }[] {
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
