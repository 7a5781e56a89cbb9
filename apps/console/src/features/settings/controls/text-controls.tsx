import { Input } from 'antd'
import type { ControlProps } from './control.ts'
import styles from './controls.module.css'

export function TextControl({ id, describedBy, value, isFaulty, onChange }: ControlProps) {
  return (
    <Input
      id={id}
      aria-describedby={describedBy}
      autoComplete="off"
      status={isFaulty ? 'error' : undefined}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

/** A plain text input, so that the text on screen is exactly what is checked and sent. */
export function NumberControl({ id, describedBy, value, isFaulty, onChange }: ControlProps) {
  return (
    <Input
      id={id}
      aria-describedby={describedBy}
      className={`${styles.number} number`}
      inputMode="decimal"
      autoComplete="off"
      status={isFaulty ? 'error' : undefined}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

export function LinesControl(props: ControlProps) {
  const { id, describedBy, definition, value, isFaulty, onChange } = props
  return (
    <Input.TextArea
      id={id}
      aria-describedby={describedBy}
      className={definition.kind === 'text' ? undefined : 'code'}
      autoSize={{ minRows: definition.lines ?? 1, maxRows: 24 }}
      spellCheck={definition.kind === 'text'}
      status={isFaulty ? 'error' : undefined}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
