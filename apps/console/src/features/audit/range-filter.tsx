import { DatePicker, Input } from 'antd'
import dayjs from 'dayjs'
import { useIsPhone } from '../../shared/page/use-is-phone.ts'
import { auditMessages } from './i18n.ts'

interface RangeFilterProps {
  /** Unix seconds; 0 means open-ended. */
  readonly start: number
  readonly end: number
  readonly onChange: (start: number, end: number) => void
}

/** Selects a time range in whole days. A phone shows its native date pickers. */
export function RangeFilter({ start, end, onChange }: RangeFilterProps) {
  const t = auditMessages.use()
  const isPhone = useIsPhone()
  if (isPhone) {
    return (
      <>
        <Input
          type="date"
          aria-label={t('word.from')}
          value={dayOf(start)}
          onChange={(event) => onChange(startOf(event.target.value), end)}
        />
        <Input
          type="date"
          aria-label={t('word.until')}
          value={dayOf(end)}
          onChange={(event) => onChange(start, endOf(event.target.value))}
        />
      </>
    )
  }
  return (
    <DatePicker.RangePicker
      allowEmpty={[true, true]}
      aria-label={t('word.range')}
      placeholder={[t('word.from'), t('word.until')]}
      value={[start === 0 ? null : dayjs.unix(start), end === 0 ? null : dayjs.unix(end)]}
      onChange={(days) =>
        onChange(days?.[0]?.startOf('day').unix() ?? 0, days?.[1]?.endOf('day').unix() ?? 0)
      }
    />
  )
}

const DAY = 'YYYY-MM-DD'

function dayOf(seconds: number): string {
  return seconds === 0 ? '' : dayjs.unix(seconds).format(DAY)
}

function startOf(day: string): number {
  return day === '' ? 0 : dayjs(day).startOf('day').unix()
}

function endOf(day: string): number {
  return day === '' ? 0 : dayjs(day).endOf('day').unix()
}
