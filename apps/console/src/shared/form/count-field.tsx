import { checkRule } from './check-rule.ts'
import { Button, type FormRule, Input } from 'antd'
import { sharedMessages } from '../i18n/shared-messages.ts'
import styles from './count-field.module.css'
import { Field } from './field.tsx'

interface CountFieldProps {
  readonly name: string
  readonly label: string
  readonly help: string
  readonly max: number
  /** Numbers offered for selection with one click. */
  readonly picks?: readonly number[]
  readonly isDisabled?: boolean
}

/** A whole number from 1. Anything else is an error at the field and is not silently corrected. */
export function CountField({ name, label, help, max, picks = [], isDisabled = false }: CountFieldProps) {
  const t = sharedMessages.use()
  return (
    <Field
      name={name}
      label={label}
      help={help}
      rules={isDisabled ? [] : [countRule(max, t('number.whole', { min: 1, max }))]}
    >
      <CountInput picks={picks} isDisabled={isDisabled} />
    </Field>
  )
}

interface CountInputProps {
  /** Passed in by the surrounding form field; a text while it is not a whole number. */
  readonly value?: number | string
  readonly onChange?: (count: number | string) => void
  readonly id?: string
  readonly picks: readonly number[]
  readonly isDisabled: boolean
}

function CountInput({ value = '', onChange, id, picks, isDisabled }: CountInputProps) {
  return (
    <div className={styles.input}>
      <Input
        id={id}
        className="number"
        inputMode="numeric"
        autoComplete="off"
        disabled={isDisabled}
        value={value}
        onChange={({ target }) => onChange?.(readCount(target.value))}
      />
      {picks.map((count) => (
        <Button key={count} size="small" disabled={isDisabled} onClick={() => onChange?.(count)}>
          {count}
        </Button>
      ))}
    </div>
  )
}

function readCount(text: string): number | string {
  return /^\d{1,9}$/.test(text.trim()) ? Number(text) : text
}

function countRule(max: number, message: string): FormRule {
  return checkRule((count) => typeof count === 'number' && count >= 1 && count <= max, message)
}
