import { Segmented, Switch } from 'antd'
import type { ControlProps } from './control.ts'

export function SwitchControl({ id, describedBy, value, onChange }: ControlProps) {
  return (
    <Switch
      id={id}
      aria-describedby={describedBy}
      checked={value === 'true'}
      onChange={(isOn) => onChange(String(isOn))}
    />
  )
}

export function ChoiceControl({ id, describedBy, definition, value, onChange }: ControlProps) {
  return (
    <Segmented
      id={id}
      aria-describedby={describedBy}
      value={value}
      options={[...definition.choices]}
      onChange={onChange}
    />
  )
}
