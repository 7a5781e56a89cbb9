import { Segmented, Switch } from 'antd'
import { useLanguage } from '../../../shared/i18n/language.ts'
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
  const language = useLanguage()
  return (
    <Segmented
      id={id}
      aria-describedby={describedBy}
      value={value}
      options={Object.entries(definition.choices).map(([choice, words]) => ({
        value: choice,
        label: words[language],
      }))}
      onChange={onChange}
    />
  )
}
