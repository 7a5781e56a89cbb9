import type { Ask, BodyTree } from './dialect.ts'
import { parsedObject } from './json-limits.ts'
import { parseInSlices } from './json-slices.ts'
import type { JsonObject } from './json.ts'

/** Members of at most so many bytes stay when the tree goes. */
const SHORT_BYTES = 1024

/**
 * An ask whose parsed members can be let go of while an upstream works on it: they are as large as its bytes, and only
 * the bytes are needed to try again. `body` is the whole body at any time; it is parsed anew when it was let go of.
 */
export function withTree(ask: Ask, isLarge: boolean): Ask {
  const { body: first, ...facts } = ask
  const { bytes } = ask
  let body: JsonObject | undefined = first
  const tree: BodyTree = {
    isLarge,
    short: shortMembers(ask),
    load: async () => {
      if (body === undefined && isLarge) body = await parseInSlices(bytes)
    },
    drop: () => {
      body = undefined
    },
  }
  return {
    ...facts,
    tree,
    get body() {
      return (body ??= parsedObject(bytes))
    },
  }
}

/** Of a body that may have let go of its tree, the members that are read after an attempt has begun. */
export function shortMembersOf(ask: Pick<Ask, 'body' | 'tree'>): JsonObject {
  return ask.tree?.short ?? ask.body
}

function shortMembers({ body, members }: Ask): JsonObject {
  const short = members.filter(({ valueStart, valueEnd }) => valueEnd - valueStart <= SHORT_BYTES)
  return Object.fromEntries(short.map(({ name }) => [name, body[name]]))
}
