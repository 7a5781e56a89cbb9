import type { JsonObject } from '../json.ts'

/**
 * A wire format for conversations. `openai` is chat completions; `responses` is the same vendor's newer
 * format.
 */
export type DialectName = (typeof dialectNames)[number]

export const dialectNames = ['openai', 'responses', 'anthropic', 'gemini'] as const

/** A value in the format of one dialect. Only that dialect may write it again; all others leave it out. */
export interface Raw<Value = unknown> {
  readonly dialect: DialectName
  readonly value: Value
}

/**
 * Unknown members, by the dialect they came in. They are forwarded only to an upstream of the same dialect.
 */
export type Extras = Partial<Readonly<Record<DialectName, JsonObject>>>

/** Returns the value of `raw` if it is in the given dialect, otherwise `undefined`. */
export function rawFor<Value>(raw: Raw<Value> | undefined, dialect: DialectName): Value | undefined {
  return raw?.dialect === dialect ? raw.value : undefined
}

/** Marks a value that a request may omit as one of the given dialect. */
export function rawOf<Value>(dialect: DialectName, value: Value | undefined): Raw<Value> | undefined {
  return value === undefined ? undefined : { dialect, value }
}
