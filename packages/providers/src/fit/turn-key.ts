import { parseJson } from '@tollgate/kit/json'

/** A call as its model wrote it, as far as it identifies a turn. */
export interface TurnCall {
  readonly id: string
  readonly name: string
  /** JSON text. */
  readonly arguments: string
}

/**
 * Identifies a turn by its calls, whatever a client did to the white space of their arguments. Some vendors use the
 * same ids in every conversation, so an id alone identifies none.
 */
export function describeTurn(calls: readonly TurnCall[]): string {
  return JSON.stringify(
    calls.map(({ id, name, arguments: written }) => [id, name, parseJson(written) ?? written]),
  )
}
