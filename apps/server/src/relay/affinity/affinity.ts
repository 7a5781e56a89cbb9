import type { Coordination } from '@tollgate/coordination/coordination'
import { type Binding, bindingText, readBinding } from './binding.ts'

/** Which channel and key served a session last, by group and model; shared by all processes. */
export interface Affinity {
  /** The bindings that exist, by group. Never rejects. */
  find(session: string, place: BindingPlaces): Promise<ReadonlyMap<string, Binding>>
  bind(session: string, place: BindingPlace, binding: Binding): void
  unbind(session: string, place: BindingPlace): void
  /** Removes all bindings; returns how many there were. */
  clear(): Promise<number>
  count(): Promise<number>
}

export interface BindingPlace {
  readonly group: string
  readonly model: string
}

export interface BindingPlaces {
  readonly groups: readonly string[]
  readonly model: string
}

export const BINDINGS_MAX = 100_000
const HOUR_MS = 3_600_000
/** The session and the lifetime are in the text, and names of models are at most 256 characters. */
const BYTES_MAX = 32 * 1024 * 1024
/**
 * An agent's next call usually comes within this time, and a session that has moved meanwhile on another node
 * costs one prompt that is not cached.
 */
const NEAR_MS = 10_000

export function openAffinity({ ttlCache }: Pick<Coordination, 'ttlCache'>): Affinity {
  const bindings = ttlCache('affinity', {
    lifetimeMs: HOUR_MS,
    entriesMax: BINDINGS_MAX,
    bytesMax: BYTES_MAX,
    valueBytesMax: 64,
    nearMs: NEAR_MS,
  })
  return {
    find: async (session, { groups, model }) => {
      const groupByKey = new Map(groups.map((group) => [keyOf(session, { group, model }), group]))
      const found = new Map<string, Binding>()
      for (const [key, text] of await bindings.find([...groupByKey.keys()])) {
        const binding = readBinding(text)
        if (binding !== undefined) found.set(groupByKey.get(key) ?? '', binding)
      }
      return found
    },
    bind: (session, place, binding) =>
      bindings.put(keyOf(session, place), bindingText(binding), binding.lifetimeMs),
    unbind: (session, place) => bindings.remove(keyOf(session, place)),
    clear: () => bindings.clear(),
    count: () => bindings.count(),
  }
}

/** The session is different for each owner, so the key is too. */
function keyOf(session: string, { group, model }: BindingPlace): string {
  return `${session} ${group} ${model}`
}
