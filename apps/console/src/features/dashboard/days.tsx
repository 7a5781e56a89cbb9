import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { DAYS_WIDTH_PX, type DaysProps } from './days-props.ts'
import { dashboardMessages } from './i18n.ts'

/** Selects the first and the last day, both included. */
export function Days({ from, until, onChange }: DaysProps) {
  const t = dashboardMessages.use()
  return (
    <DatePicker.RangePicker
      style={{ width: DAYS_WIDTH_PX }}
      allowClear={false}
      aria-label={t('range.own')}
      maxDate={dayjs()}
      value={[from, until]}
      onChange={(days) => days?.[0] && days[1] && onChange(days[0], days[1])}
    />
  )
}
