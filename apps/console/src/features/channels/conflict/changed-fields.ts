import { isSameValue } from '../../../shared/form/same-value.ts'
import type { ChannelFormValue } from '../form-value.ts'

export type FieldName = keyof ChannelFormValue

export interface Conflict {
  /** The values that the other operator saved, for the fields that differ from what was loaded. */
  readonly theirs: Partial<ChannelFormValue>
  /** The fields among `theirs` that were also edited here, to a different value. */
  readonly contested: readonly FieldName[]
}

const fieldNames = (value: ChannelFormValue): readonly FieldName[] =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the value are its fields
  Object.keys(value) as FieldName[]

/**
 * Compares a form with what another operator saved after it was loaded: what they changed, and which of these
 * fields were edited here as well.
 */
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

/** Both edits combined: theirs, except for the fields that we edited. */
export function merged(input: {
  readonly loaded: ChannelFormValue
  readonly edited: ChannelFormValue
  readonly stored: ChannelFormValue
}): ChannelFormValue {
  const { loaded, edited, stored } = input
  const ours = fieldNames(edited).filter((name) => !isSameValue(loaded[name], edited[name]))
  return { ...stored, ...Object.fromEntries(ours.map((name) => [name, edited[name]])) }
}
