import type { Traits } from '../database/traits.ts'

/** One step of the schema. A released step is never changed and never undone. */
export interface Migration {
  readonly number: number
  readonly name: string
  /** The statements in order, with column types and quoting from the engine's traits. */
  statements(traits: Traits): readonly string[]
}
