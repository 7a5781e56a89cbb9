import { DatePicker } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import customParseFormat from 'dayjs/plugin/customParseFormat.js'
import { type FocusEvent, type FormEvent, useState } from 'react'

dayjs.extend(customParseFormat)

export const TIME_FORMAT = 'YYYY-MM-DD HH:mm'

interface TimePickerProps {
  readonly placeholder: string
  /** The last day of the calendar; the surrounding field checks typed text. */
  readonly maxDate?: Dayjs
  readonly status?: 'error'
  /** Passed in by the surrounding form field; `undefined`: no date. */
  readonly value?: Dayjs | undefined
  readonly onChange?: (time: Dayjs | undefined) => void
  readonly onBlur?: () => void
  readonly id?: string
}

interface Held {
  readonly value: Dayjs | undefined
  /** The date that the calendar shows: the value, or the last valid one before the text became invalid. */
  readonly shown: Dayjs | undefined
  /**
   * Counts outside changes that replaced an invalid text. It is the picker's key, because the picker would
   * otherwise keep showing that text.
   */
  readonly edition: number
}

/**
 * A picker for date and time. Typed text and a click in the calendar take effect at once, without Enter or
 * OK. Text that is not a date yields an invalid `Dayjs`, never `undefined`; the surrounding field must reject
 * it (see `TimeField`).
 */
export function TimePicker({ value, onChange, onBlur, ...picker }: TimePickerProps) {
  const [held, setHeld] = useState<Held>({ value, shown: readable(value), edition: 0 })
  const [isOpen, setIsOpen] = useState(false)
  if (held.value !== value) {
    const edition = held.value?.isValid() === false ? held.edition + 1 : held.edition
    setHeld({ value, shown: readable(value), edition })
  }

  function change(next: Dayjs | undefined) {
    setHeld((last) => ({ ...last, value: next, shown: next?.isValid() === false ? last.shown : next }))
    onChange?.(next)
  }
  // Runs after the picker has parsed the text itself, so this result takes precedence.
  function typed({ target }: FormEvent) {
    if (target instanceof HTMLInputElement) change(readTime(target.value))
  }
  // The picker closes a frame after the focus has left it, and stays open if the focus comes back within that
  // frame: when a form is refused, its calendar would cover the error and whatever stands below the field.
  function left({ relatedTarget }: FocusEvent) {
    if (!isInCalendar(relatedTarget)) setIsOpen(false)
    onBlur?.()
  }

  return (
    <div onChange={typed}>
      <DatePicker
        key={held.edition}
        open={isOpen}
        onOpenChange={setIsOpen}
        {...picker}
        value={held.shown ?? null}
        showTime={{ format: 'HH:mm' }}
        showNow={false}
        format={TIME_FORMAT}
        preserveInvalidOnBlur
        onCalendarChange={(time) => change(oneTime(time))}
        onChange={(time) => change(oneTime(time))}
        onBlur={left}
        onKeyDown={(event) => {
          // Enter accepts the typed text and must not submit the form.
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

function isInCalendar(element: EventTarget | null): boolean {
  return element instanceof Element && element.closest('.ant-picker-dropdown') !== null
}

function oneTime(time: Dayjs | readonly Dayjs[] | null): Dayjs | undefined {
  return dayjs.isDayjs(time) ? time : undefined
}
