import type { Traits } from '../traits.ts'

/** One step forward. Steps are never changed once released, and never undone. */
export interface Migration {
  readonly number: number
  readonly name: string
  /** Statements in order, written with the words of the engine's traits. */
  statements(traits: Traits): readonly string[]
}
