import type { OptionKind } from '@tollgate/contract/options/kinds'
import type { ComponentType } from 'react'
import { ChoiceControl, SwitchControl } from './choice-controls.tsx'
import type { ControlProps } from './control.ts'
import { PartsControl } from './parts-control.tsx'
import { SecretControl } from './secret-control.tsx'
import { LinesControl, NumberControl, TextControl } from './text-controls.tsx'

const controls: Readonly<Record<OptionKind | 'longText', ComponentType<ControlProps>>> = {
  boolean: SwitchControl,
  integer: NumberControl,
  number: NumberControl,
  choice: ChoiceControl,
  text: TextControl,
  longText: LinesControl,
  secret: SecretControl,
  list: PartsControl,
  lines: LinesControl,
  json: LinesControl,
}

/** The control that fits the kind of a setting; a text of several lines has its own. */
export function SettingControl(props: ControlProps) {
  const { kind } = props.definition
  const isLong = kind === 'text' && props.rows !== undefined
  const Control = controls[isLong ? 'longText' : kind]
  return <Control {...props} />
}
