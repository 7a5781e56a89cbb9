import type { OptionKind } from '@tollgate/contract/options/kinds'
import type { ComponentType } from 'react'
import { ChoiceControl, SwitchControl } from './choice-controls.tsx'
import type { ControlProps } from './control.ts'
import { PartsControl } from './parts-control.tsx'
import { RowsControl } from './rows-control.tsx'
import { SecretControl } from './secret-control.tsx'
import { LinesControl, NumberControl, TextControl } from './text-controls.tsx'

const controls: Readonly<Record<OptionKind | 'longText' | 'rows', ComponentType<ControlProps>>> = {
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
  rows: RowsControl,
}

/** The control that fits the kind of a setting; a text of several lines has its own, and so has what is a table. */
export function SettingControl(props: ControlProps) {
  const Control = controls[controlOf(props)]
  return <Control {...props} />
}

function controlOf({ definition, rows }: ControlProps): keyof typeof controls {
  if (definition.rows !== undefined) return 'rows'
  return definition.kind === 'text' && rows !== undefined ? 'longText' : definition.kind
}
