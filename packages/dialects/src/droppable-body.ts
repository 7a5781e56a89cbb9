import type { Ask, DroppableBody } from './dialect.ts'
import { parsedObject } from './json-limits.ts'
import { parseInSlices } from './json-slices.ts'
import type { JsonObject } from './json.ts'

/** Members of at most this many bytes are kept when the parsed body is dropped. */
const SHORT_BYTES = 1024

/**
 * Makes a request whose parsed body can be dropped while an upstream works on it. The parsed body takes as
 * much memory as its bytes, and a retry needs only the bytes. `body` can still be read at any time; after a
 * drop it is parsed again.
 */
export function withDroppableBody(ask: Ask, isLarge: boolean): Ask {
  const { body: first, ...facts } = ask
  const { bytes } = ask
  let body: JsonObject | undefined = first
  const tree: DroppableBody = {
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

/**
 * Members that are read after an attempt has begun, from a request whose parsed body may have been dropped.
 */
export function shortMembersOf(ask: Pick<Ask, 'body' | 'tree'>): JsonObject {
  return ask.tree?.short ?? ask.body
}

function shortMembers({ body, members }: Ask): JsonObject {
  const short = members.filter(({ valueStart, valueEnd }) => valueEnd - valueStart <= SHORT_BYTES)
  return Object.fromEntries(short.map(({ name }) => [name, body[name]]))
}
