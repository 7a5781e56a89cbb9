import type { JsonObject } from '../json.ts'

/** A wire format of conversations. `openai` is chat completions; `responses` is the same vendor's newer one. */
export type DialectName = (typeof dialectNames)[number]

export const dialectNames = ['openai', 'responses', 'anthropic', 'gemini'] as const

/** Something as one dialect wrote it. Only that dialect may write it again; every other one leaves it out. */
export interface Raw<Value = unknown> {
  readonly dialect: DialectName
  readonly value: Value
}

/** Members we do not know, by the dialect they came in. They reach an upstream of the same dialect and no other. */
export type Extras = Partial<Readonly<Record<DialectName, JsonObject>>>

/** What `raw` says to a dialect: its own words, or nothing. */
export function ownWords<Value>(raw: Raw<Value> | undefined, dialect: DialectName): Value | undefined {
  return raw?.dialect === dialect ? raw.value : undefined
}
