import { DatePicker } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import customParseFormat from 'dayjs/plugin/customParseFormat.js'
import { type FormEvent, useState } from 'react'

dayjs.extend(customParseFormat)

export const TIME_FORMAT = 'YYYY-MM-DD HH:mm'

interface TimePickerProps {
  readonly placeholder: string
  /** The last day of the calendar; typed text is for the field around to judge. */
  readonly maxDate?: Dayjs
  readonly status?: 'error'
  /** Given by the form field around it; undefined: no date. */
  readonly value?: Dayjs | undefined
  readonly onChange?: (time: Dayjs | undefined) => void
  readonly onBlur?: () => void
  readonly id?: string
}

interface Held {
  readonly value: Dayjs | undefined
  /** What the calendar shows: the value, or the last one before the text became unreadable. */
  readonly shown: Dayjs | undefined
  /** Counts values from outside that replaced an unreadable text, which the picker would go on showing. */
  readonly edition: number
}

/**
 * A day with its time. Typed text and a click in the calendar count at once, without Enter or OK. Text that is no date
 * becomes an invalid `Dayjs`, never `undefined`: the field around must refuse it (see `TimeField`).
 */
export function TimePicker({ value, onChange, onBlur, ...picker }: TimePickerProps) {
  const [held, setHeld] = useState<Held>({ value, shown: readable(value), edition: 0 })
  if (held.value !== value) {
    const edition = held.value?.isValid() === false ? held.edition + 1 : held.edition
    setHeld({ value, shown: readable(value), edition })
  }

  function change(next: Dayjs | undefined) {
    setHeld((last) => ({ ...last, value: next, shown: next?.isValid() === false ? last.shown : next }))
    onChange?.(next)
  }
  // Heard after the picker has read the text itself, so this reading is the one that counts.
  function typed({ target }: FormEvent) {
    if (target instanceof HTMLInputElement) change(readTime(target.value))
  }

  return (
    <div onChange={typed}>
      <DatePicker
        key={held.edition}
        {...picker}
        value={held.shown ?? null}
        showTime={{ format: 'HH:mm' }}
        showNow={false}
        format={TIME_FORMAT}
        preserveInvalidOnBlur
        onCalendarChange={(time) => change(oneTime(time))}
        onChange={(time) => change(oneTime(time))}
        {...(onBlur && { onBlur: () => onBlur() })}
        onKeyDown={(event) => {
          // Enter takes what was typed; it does not send the form around the field.
          if (event.key === 'Enter') event.preventDefault()
        }}
      />
    </div>
  )
}

function readTime(text: string): Dayjs | undefined {
  return text.trim() === '' ? undefined : dayjs(text.trim(), TIME_FORMAT, true)
}

function readable(time: Dayjs | undefined): Dayjs | undefined {
  return time?.isValid() === false ? undefined : time
}

function oneTime(time: Dayjs | readonly Dayjs[] | null): Dayjs | undefined {
  return dayjs.isDayjs(time) ? time : undefined
}
