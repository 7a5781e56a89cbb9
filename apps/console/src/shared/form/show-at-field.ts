import { ApiError } from '@tollgate/contract/client'
import type { FormInstance } from 'antd'
import { failureText } from '../api/failure.ts'

/** The server's error codes that refer to each field. */
export type ProblemFields<Value> = Readonly<Partial<Record<keyof Value & string, readonly string[]>>>

/** Shows an error at the field it refers to; returns false if it refers to none of them. */
export function showAtField<Value extends object>(
  form: FormInstance<Value>,
  error: unknown,
  fields: ProblemFields<Value>,
): boolean {
  const found = fieldOf(error, fields)
  if (found === undefined) return false
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a key of the form's own value is one of its names
  form.setFields([{ name: found as never, errors: [failureText(error)] }])
  return true
}

export function fieldOf<Value>(
  error: unknown,
  fields: ProblemFields<Value>,
): (keyof Value & string) | undefined {
  if (!(error instanceof ApiError)) return undefined
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a record are its names
  const names = Object.keys(fields) as (keyof Value & string)[]
  return names.find((name) => fields[name]?.includes(error.code))
}
