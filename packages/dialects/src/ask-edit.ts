import { withDroppableBody } from './droppable-body.ts'
import type { Ask } from './dialect.ts'
import { spliceMembers } from './json-splice.ts'
import type { JsonObject } from './json.ts'

export interface AskEdits {
  /** New values by member name. */
  readonly set: JsonObject
  readonly remove?: readonly string[]
  /** Values that were read from the body and that these edits change. */
  readonly facts?: Partial<Pick<Ask, 'outputTokensMax'>>
}

/**
 * Returns the same request with some members replaced or removed. All other bytes stay as they came, and none
 * of them is parsed again.
 */
export function editedAsk(ask: Ask, { set, remove = [], facts }: AskEdits): Ask {
  const spliced = spliceMembers(ask.bytes, { set, remove, members: ask.members })
  const removed = new Set(remove)
  const kept = Object.entries(ask.body).filter(([name]) => !removed.has(name))
  const body = Object.fromEntries([...kept, ...Object.entries(set)])
  const { tree, ...others } = ask
  const edited = { ...others, ...facts, body, ...spliced }
  return tree === undefined ? edited : withDroppableBody(edited, tree.isLarge)
}
