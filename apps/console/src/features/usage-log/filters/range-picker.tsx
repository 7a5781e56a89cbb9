import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { Icon } from '../../../shared/icon/icon.tsx'
import type { InteractionStage } from '../../../shared/on-demand/use-interaction-stage.ts'
import { usageLogMessages } from '../i18n/index.ts'
import { presets } from './presets.ts'
import { type RangeFilters, RANGE_WIDTH_PX, SHOWN_FORMAT } from './range-field.tsx'
import type { TimeRange } from './search.ts'

interface RangePickerProps {
  readonly range: TimeRange
  /**
   * How far the reader's interaction had gone (pointed at, focused, opened) when the calendar replaced the
   * plain fields.
   */
  readonly reach: InteractionStage
  readonly onChange: (range: RangeFilters) => void
}

/** Selects two times from a calendar, or one of the preset ranges. */
export function RangePicker({ range, reach, onChange }: RangePickerProps) {
  const t = usageLogMessages.use()
  return (
    <DatePicker.RangePicker
      style={{ width: RANGE_WIDTH_PX }}
      showTime={{ format: 'HH:mm' }}
      format={SHOWN_FORMAT}
      aria-label={t('word.range')}
      separator={<Icon name="arrowRight" sizePx={14} />}
      suffixIcon={<Icon name="calendar" sizePx={13} />}
      value={[dayjs.unix(range.start), dayjs.unix(range.end)]}
      presets={presets(t, dayjs())}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the cursor stands here already, in what this takes the place of
      autoFocus={reach === 'focused' || reach === 'opened'}
      defaultOpen={reach === 'opened'}
      onChange={(moments) =>
        onChange({ start_timestamp: moments?.[0]?.unix() ?? 0, end_timestamp: moments?.[1]?.unix() ?? 0 })
      }
    />
  )
}
