import { Input } from 'antd'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { readNumber, textOfNumber } from './read-number.ts'

interface NumberInputProps {
  /**
   * `undefined` while the field is empty, `NaN` while its text is not a number. Passed in by the surrounding
   * form field.
   */
  readonly value?: number | null | undefined
  readonly onChange?: (value: number | undefined) => void
  readonly onBlur?: () => void
  readonly id?: string
  /** Number of stored units per displayed unit: 500,000 if quota is typed in dollars. */
  readonly scale?: number
  readonly prefix?: ReactNode
  readonly placeholder?: string
  readonly isDisabled?: boolean
  readonly className?: string
  readonly label?: string
}

interface Held {
  readonly value: number | undefined
  readonly text: string
}

/**
 * A number field that keeps the typed text. Text that is not a number stays in the field and yields `NaN`,
 * never an empty value or the previous number; the form must reject it (see `useNumberRules`).
 */
export function NumberInput({ value: given, onChange, scale = 1, ...rest }: NumberInputProps) {
  const value = given ?? undefined
  const [held, setHeld] = useState<Held>({ value, text: textOfNumber(value, scale) })
  if (!Object.is(held.value, value)) setHeld({ value, text: textOfNumber(value, scale) })

  function enter(text: string) {
    const next = readNumber(text, scale)
    setHeld({ value: next, text })
    onChange?.(next)
  }
  function step(event: KeyboardEvent) {
    const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
    if (by === 0 || Number.isNaN(value)) return
    event.preventDefault()
    enter(textOfNumber((value ?? 0) + by * scale, scale))
  }

  const { label, isDisabled, className = '', ...input } = rest
  return (
    <Input
      {...input}
      aria-label={label}
      className={`number ${className}`.trim()}
      inputMode="decimal"
      autoComplete="off"
      disabled={isDisabled === true}
      value={held.text}
      onChange={({ target }) => enter(target.value)}
      onKeyDown={step}
    />
  )
}
