import { DatePicker, Input } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { FilterRow } from '../../shared/page/filter-row.tsx'
import { useIsPhone } from '../../shared/page/use-is-phone.ts'
import { taskLogMessages } from './i18n.ts'
import { activeFilters, rangeOf, type TaskFilters, type TimeRange } from './search.ts'

interface TaskFilterRowProps {
  /**
   * The filters in the address. They are the initial values of the row, which is mounted anew when they
   * change.
   */
  readonly initialValue: TaskFilters
  readonly defaultRange: TimeRange
  readonly isAdmin: boolean
  readonly onSearch: (filters: TaskFilters) => void
}

const CHANNEL_DIGITS_MAX = 9

/**
 * Filters by time range and id, and for admins by channel and user. All filters are applied together, by the
 * button or by Enter.
 */
export function TaskFilterRow({ initialValue, defaultRange, isAdmin, onSearch }: TaskFilterRowProps) {
  const t = taskLogMessages.use()
  const [filters, setFilters] = useState(initialValue)
  const change = (part: Partial<TaskFilters>) => setFilters((before) => ({ ...before, ...part }))
  return (
    <FilterRow activeCount={activeFilters(initialValue)} onSubmit={() => onSearch(filters)}>
      <RangeField range={rangeOf(filters, defaultRange)} onChange={change} />
      <Input
        data-search
        allowClear
        style={{ width: 220 }}
        placeholder={t('word.taskId')}
        aria-label={t('word.taskId')}
        value={filters.task_id}
        onChange={(event) => change({ task_id: event.target.value })}
      />
      {isAdmin && (
        <Input
          allowClear
          style={{ width: 112 }}
          placeholder={t('word.channelId')}
          aria-label={t('word.channelId')}
          value={filters.channel_id === 0 ? '' : String(filters.channel_id)}
          onChange={(event) => change({ channel_id: digitsOf(event.target.value) })}
        />
      )}
      {isAdmin && (
        <Input
          allowClear
          style={{ width: 128 }}
          placeholder={t('word.user')}
          aria-label={t('word.user')}
          value={filters.username}
          onChange={(event) => change({ username: event.target.value })}
        />
      )}
    </FilterRow>
  )
}

function digitsOf(text: string): number {
  return Number(text.replace(/\D/g, '').slice(0, CHANNEL_DIGITS_MAX))
}

interface RangeFieldProps {
  /** The range that the search will use; open-ended at both ends if only a task id is given. */
  readonly range: TimeRange
  readonly onChange: (range: Pick<TaskFilters, 'start_timestamp' | 'end_timestamp'>) => void
}

const SHOWN_FORMAT = 'YYYY-MM-DD HH:mm'
const FIELD_FORMAT = 'YYYY-MM-DDTHH:mm'

/** Selects a time range; clearing it restores the default range. A phone shows its native date pickers. */
function RangeField({ range: { start, end }, onChange }: RangeFieldProps) {
  const t = taskLogMessages.use()
  const isPhone = useIsPhone()
  const isAnyTime = start === 0 && end === 0
  if (isPhone) {
    return (
      <>
        <Input
          type="datetime-local"
          aria-label={t('filter.from')}
          value={fieldOf(start)}
          onChange={(event) =>
            onChange({ start_timestamp: secondsOf(event.target.value), end_timestamp: end })
          }
        />
        <Input
          type="datetime-local"
          aria-label={t('word.until')}
          value={fieldOf(end)}
          onChange={(event) =>
            onChange({ start_timestamp: start, end_timestamp: secondsOf(event.target.value) })
          }
        />
      </>
    )
  }
  return (
    <DatePicker.RangePicker
      style={{ width: 306 }}
      allowEmpty={[true, true]}
      showTime={{ format: 'HH:mm' }}
      format={SHOWN_FORMAT}
      aria-label={t('filter.range')}
      placeholder={
        isAnyTime ? [t('filter.anyTime'), t('filter.anyTime')] : [t('filter.from'), t('word.until')]
      }
      value={[start === 0 ? null : dayjs.unix(start), end === 0 ? null : dayjs.unix(end)]}
      onChange={(moments) =>
        onChange({ start_timestamp: moments?.[0]?.unix() ?? 0, end_timestamp: moments?.[1]?.unix() ?? 0 })
      }
    />
  )
}

function fieldOf(seconds: number): string {
  return seconds === 0 ? '' : dayjs.unix(seconds).format(FIELD_FORMAT)
}

function secondsOf(text: string): number {
  return text !== '' && dayjs(text).isValid() ? dayjs(text).unix() : 0
}
