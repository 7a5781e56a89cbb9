import type { FormInstance } from 'antd'
import type { ChannelFormValue } from '../form-value.ts'
import { conflictOf, merged } from './changed-fields.ts'
import { ConflictNotice } from './conflict-notice.tsx'

/** The basis of an edit: the value that was loaded, and the version that a save is based on. */
export interface Base {
  readonly value: ChannelFormValue
  readonly version: number
}

interface QuarrelProps {
  readonly form: FormInstance<ChannelFormValue>
  readonly loaded: ChannelFormValue
  readonly edited: ChannelFormValue
  readonly stored: Base
  readonly onSettled: () => void
}

/**
 * Shows what another operator saved in the meantime, and updates the form according to the reader's choice.
 */
export function ConflictPanel({ form, loaded, edited, stored, onSettled }: QuarrelProps) {
  const sides = { loaded, edited, stored: stored.value }
  const settle = (value: ChannelFormValue) => {
    form.setFieldsValue(value)
    onSettled()
  }
  return (
    <ConflictNotice
      conflict={conflictOf(sides)}
      loaded={loaded}
      onMerge={() => settle(merged(sides))}
      onTakeTheirs={() => settle({ ...stored.value, key: edited.key })}
    />
  )
}
