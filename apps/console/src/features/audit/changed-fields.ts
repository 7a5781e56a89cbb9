import { isRecord, parseJson } from '@tollgate/kit/json'

export interface ChangedField {
  readonly name: string
  /** `undefined`: the field did not exist. */
  readonly before: string | undefined
  readonly after: string | undefined
}

/**
 * The fields that an audit row reports as changed; unchanged fields are left out. A value that is not an
 * object, such as that of a setting, is one field without a name.
 */
export function changedFields(before: string, after: string): readonly ChangedField[] {
  const left = fieldsOf(before)
  const right = fieldsOf(after)
  const names = [...new Set([...left.keys(), ...right.keys()])]
  return names
    .map((name) => ({ name, before: left.get(name), after: right.get(name) }))
    .filter((field) => field.before !== field.after)
}

function fieldsOf(json: string): ReadonlyMap<string, string> {
  if (json === '') return new Map()
  const value = parseJson(json) ?? json
  if (!isRecord(value)) return new Map([['', textOf(value)]])
  return new Map(Object.entries(value).map(([name, one]) => [name, textOf(one)]))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 1)
}
