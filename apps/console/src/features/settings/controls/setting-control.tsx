import type { OptionKind } from '@tollgate/contract/options/definition'
import type { ComponentType } from 'react'
import { ChoiceControl, SwitchControl } from './choice-controls.tsx'
import type { ControlProps } from './control.ts'
import { NamedNumbersControl } from './named-numbers-control.tsx'
import { PartsControl } from './parts-control.tsx'
import { QuotaControl } from './quota-control.tsx'
import { RowsControl } from './rows-control.tsx'
import { SecretControl } from './secret-control.tsx'
import { LinesControl, NumberControl, TextControl } from './text-controls.tsx'

const controls: Readonly<
  Record<OptionKind | 'longText' | 'rows' | 'quota' | 'named', ComponentType<ControlProps>>
> = {
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
  quota: QuotaControl,
  named: NamedNumbersControl,
}

/**
 * Chooses the control for the kind of a setting. Multi-line texts, amounts and tables have their own
 * controls.
 */
export function SettingControl(props: ControlProps) {
  const Control = controls[controlOf(props)]
  return <Control {...props} />
}

function controlOf({ definition }: ControlProps): keyof typeof controls {
  if (definition.isQuota) return 'quota'
  if (definition.rows !== undefined) return definition.rows.names === undefined ? 'rows' : 'named'
  return definition.kind === 'text' && definition.lines !== undefined ? 'longText' : definition.kind
}
