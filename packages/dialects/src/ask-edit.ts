import { withTree } from './ask-tree.ts'
import type { Ask } from './dialect.ts'
import { spliceMembers } from './json-splice.ts'
import type { JsonObject } from './json.ts'

export interface AskEdits {
  /** New values by the name of their member. */
  readonly set: JsonObject
  readonly remove?: readonly string[]
  /** What the edits change of what was read. */
  readonly facts?: Partial<Pick<Ask, 'outputTokensMax'>>
}

/** The same call with other members; the rest of its bytes stays as it came, and nothing of it is parsed again. */
export function editedAsk(ask: Ask, { set, remove = [], facts }: AskEdits): Ask {
  const spliced = spliceMembers(ask.bytes, { set, remove, members: ask.members })
  const removed = new Set(remove)
  const kept = Object.entries(ask.body).filter(([name]) => !removed.has(name))
  const body = Object.fromEntries([...kept, ...Object.entries(set)])
  const { tree, ...others } = ask
  const edited = { ...others, ...facts, body, ...spliced }
  return tree === undefined ? edited : withTree(edited, tree.isLarge)
}
