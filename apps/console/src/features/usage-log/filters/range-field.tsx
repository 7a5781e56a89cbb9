import dayjs from 'dayjs'
import { lazy, Suspense } from 'react'
import { Icon } from '../../../shared/icon/icon.tsx'
import box from '../../../shared/on-demand/box.module.css'
import { SelectOnDemand } from '../../../shared/on-demand/select-on-demand.tsx'
import { useInteractionStage } from '../../../shared/on-demand/use-interaction-stage.ts'
import { useIsPhone } from '../../../shared/page/use-is-phone.ts'
import { usageLogMessages } from '../i18n/index.ts'
import { presets } from './presets.ts'
import styles from './range-field.module.css'
import type { LogFilters, TimeRange } from './search.ts'

export type RangeFilters = Pick<LogFilters, 'start_timestamp' | 'end_timestamp'>

interface RangeFieldProps {
  readonly filters: RangeFilters
  readonly defaultRange: TimeRange
  readonly onChange: (range: RangeFilters) => void
}

export const SHOWN_FORMAT = 'YYYY-MM-DD HH:mm'
export const RANGE_WIDTH_PX = 306

/** Selects a time range; clearing it restores the default range. A phone shows its native date pickers. */
export function RangeField({ filters, defaultRange, onChange }: RangeFieldProps) {
  const isPhone = useIsPhone()
  const range = {
    start: filters.start_timestamp || defaultRange.start,
    end: filters.end_timestamp || defaultRange.end,
  }
  if (isPhone) return <PhoneRange range={range} onChange={onChange} />
  return <DeskRange range={range} onChange={onChange} />
}

interface RangeProps {
  readonly range: TimeRange
  readonly onChange: (range: RangeFilters) => void
}

const load = async () => ({ default: (await import('./range-picker.tsx')).RangePicker })
const RangePicker = lazy(load)

/** Fields for start and end; the calendar is loaded when the reader points at or focuses them. */
function DeskRange({ range, onChange }: RangeProps) {
  const t = usageLogMessages.use()
  const { reach, handlers } = useInteractionStage(load)
  const atRest = (
    <button
      type="button"
      aria-haspopup="dialog"
      className={`${box.box} ${styles.range}`}
      style={{ width: RANGE_WIDTH_PX }}
      {...handlers}
    >
      <span className="visually-hidden">{t('word.range')} </span>
      <Moment seconds={range.start} />
      <span className={`${box.sign} ${styles.arrow}`}>
        <Icon name="arrowRight" sizePx={14} />
      </span>
      <Moment seconds={range.end} />
      <span className={`${box.sign} ${styles.calendar}`}>
        <Icon name="calendar" sizePx={13} />
      </span>
    </button>
  )
  if (reach === 'away') return atRest
  return (
    <Suspense fallback={atRest}>
      <RangePicker range={range} reach={reach} onChange={onChange} />
    </Suspense>
  )
}

function Moment({ seconds }: { readonly seconds: number }) {
  return <span className={styles.moment}>{dayjs.unix(seconds).format(SHOWN_FORMAT)}</span>
}

const FIELD_FORMAT = 'YYYY-MM-DDTHH:mm'

function PhoneRange({ range, onChange }: RangeProps) {
  const t = usageLogMessages.use()
  const offers = presets(t, dayjs())
  return (
    <>
      <SelectOnDemand<number>
        label={t('word.range')}
        placeholder={t('word.range')}
        // The selected range is shown in the two fields below, where it can be edited.
        value={undefined}
        options={offers.map(({ label }, index) => ({ value: index, label }))}
        onChange={(index) => {
          const [from, until] = offers[index]?.value ?? []
          if (from && until) onChange({ start_timestamp: from.unix(), end_timestamp: until.unix() })
        }}
      />
      <input
        className={`${box.box} ${styles.native}`}
        type="datetime-local"
        aria-label={t('word.from')}
        value={dayjs.unix(range.start).format(FIELD_FORMAT)}
        onChange={(event) =>
          onChange({ start_timestamp: secondsOf(event.target.value), end_timestamp: range.end })
        }
      />
      <input
        className={`${box.box} ${styles.native}`}
        type="datetime-local"
        aria-label={t('word.until')}
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
