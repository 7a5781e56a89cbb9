import { isSameValue } from '../../../shared/form/same-value.ts'
import type { ChannelFormValue } from '../form-value.ts'

export type FieldName = keyof ChannelFormValue

export interface Conflict {
  /** What the other one has saved, of the fields that differ from what was loaded. */
  readonly theirs: Partial<ChannelFormValue>
  /** Of those, the fields that were edited here too, to something else. */
  readonly contested: readonly FieldName[]
}

const fieldNames = (value: ChannelFormValue): readonly FieldName[] =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the value are its fields
  Object.keys(value) as FieldName[]

/** What somebody else changed between the loading of a form and now, and what of it was edited here as well. */
export function conflictOf(input: {
  readonly loaded: ChannelFormValue
  readonly edited: ChannelFormValue
  readonly stored: ChannelFormValue
}): Conflict {
  const { loaded, edited, stored } = input
  const changed = fieldNames(stored).filter((name) => !isSameValue(loaded[name], stored[name]))
  const isContested = (name: FieldName) =>
    !isSameValue(loaded[name], edited[name]) && !isSameValue(edited[name], stored[name])
  return {
    theirs: Object.fromEntries(changed.map((name) => [name, stored[name]])),
    contested: changed.filter(isContested),
  }
}

/** Both edits together: theirs, and ours where we edited. */
export function merged(input: {
  readonly loaded: ChannelFormValue
  readonly edited: ChannelFormValue
  readonly stored: ChannelFormValue
}): ChannelFormValue {
  const { loaded, edited, stored } = input
  const ours = fieldNames(edited).filter((name) => !isSameValue(loaded[name], edited[name]))
  return { ...stored, ...Object.fromEntries(ours.map((name) => [name, edited[name]])) }
}
