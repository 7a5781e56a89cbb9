import dayjs, { type Dayjs } from 'dayjs'
import { lazy, Suspense } from 'react'
import box from '../../shared/on-demand/box.module.css'
import { SelectOnDemand } from '../../shared/on-demand/select-on-demand.tsx'
import { useIsPhone } from '../../shared/page/use-is-phone.ts'
import { DAYS_WIDTH_PX, type DaysProps } from './days-props.ts'
import { dashboardMessages } from './i18n.ts'
import { type DashboardSearch, rangeNames } from './search.ts'
import type { Span } from './span.ts'

const Days = lazy(async () => ({ default: (await import('./days.tsx')).Days }))

interface RangeControlProps {
  readonly span: Span
  readonly onChange: (change: Partial<DashboardSearch>) => void
}

/** Selects a preset range, or a first and last day. The available steps depend on the range. */
export function RangeControl({ span, onChange }: RangeControlProps) {
  const t = dashboardMessages.use()
  const DayFields = useIsPhone() ? PhoneDays : Days
  const chooseDays = (from: Dayjs, until: Dayjs) =>
    onChange({
      range: 'own',
      start_timestamp: from.startOf('day').unix(),
      end_timestamp: until.endOf('day').unix(),
      step: '',
    })
  return (
    <>
      <SelectOnDemand
        label={t('range')}
        widthPx={148}
        listHeightPx={320}
        value={span.range}
        options={rangeNames.map((value) => ({ value, label: t(`range.${value}`) }))}
        onChange={(range) => {
          if (range === 'own') chooseDays(dayjs.unix(span.start), today(dayjs.unix(span.end)))
          else onChange({ range, start_timestamp: 0, end_timestamp: 0, step: '' })
        }}
      />
      {span.range === 'own' && (
        <Suspense fallback={<span style={{ width: DAYS_WIDTH_PX }} />}>
          <DayFields from={dayjs.unix(span.start)} until={dayjs.unix(span.end)} onChange={chooseDays} />
        </Suspense>
      )}
    </>
  )
}

/**
 * Preset ranges end an hour from now, which may be tomorrow late in the evening; the shown end is limited to
 * today.
 */
function today(end: Dayjs): Dayjs {
  const now = dayjs()
  return end.isAfter(now) ? now : end
}

const DAY_FORMAT = 'YYYY-MM-DD'

/** The two native date pickers of a phone. If the days are in the wrong order, the one just entered wins. */
function PhoneDays({ from, until, onChange }: DaysProps) {
  const t = dashboardMessages.use()
  return (
    <>
      <input
        className={box.box}
        type="date"
        aria-label={t('range.from')}
        max={dayjs().format(DAY_FORMAT)}
        value={from.format(DAY_FORMAT)}
        onChange={({ target }) => {
          const day = dayjs(target.value)
          if (day.isValid()) onChange(day, day.isAfter(until) ? day : until)
        }}
      />
      <input
        className={box.box}
        type="date"
        aria-label={t('range.until')}
        max={dayjs().format(DAY_FORMAT)}
        value={until.format(DAY_FORMAT)}
        onChange={({ target }) => {
          const day = dayjs(target.value)
          if (day.isValid()) onChange(day.isBefore(from) ? day : from, day)
        }}
      />
    </>
  )
}
