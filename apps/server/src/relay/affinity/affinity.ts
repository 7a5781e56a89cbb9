import type { Coordination } from '@tollgate/coordination/coordination'
import type { Clock } from '@tollgate/kit/clock'
import {
  type Binding,
  type BindingPlace,
  type Bindings,
  bindingText,
  isSameBinding,
  readBinding,
} from './binding.ts'
import type { Snapshots } from '../../snapshots/snapshots.ts'
import { type Place, RecentBindings } from './recent-bindings.ts'

/** Which channel and key served a session last, by group and model; shared by all processes. */
export interface Affinity {
  /** The bindings that exist, by group; at once if this process knows them. Never rejects. */
  find(session: string, place: BindingPlaces): Bindings | Promise<Bindings>
  bind(session: string, place: BindingPlace, binding: Binding): void
  unbind(session: string, place: BindingPlace): void
  /** Removes all bindings; returns how many there were. */
  clear(): Promise<number>
  count(): Promise<number>
}

export interface BindingPlaces {
  readonly groups: readonly string[]
  readonly model: string
}

const BINDINGS_MAX = 100_000
const HOUR_MS = 3_600_000
/** The session and the lifetime are in the text, and names of models are at most 256 characters. */
const BYTES_MAX = 32 * 1024 * 1024
/**
 * An agent's next call usually comes within this time, and a session that has moved meanwhile on another node
 * costs one prompt that is not cached.
 */
const NEAR_MS = 10_000
/** A binding is written again after this part of its lifetime, not with every call; so it may end that much earlier. */
const RENEWED_AFTER = 1 / 20

const NONE: Bindings = new Map()

export interface AffinityDeps extends Pick<Coordination, 'ttlCache'> {
  readonly clock: Pick<Clock, 'monotonicMs'>
  /** For the most bindings in the memory of a process. */
  readonly snapshots?: Pick<Snapshots, 'settings'>
}

export function openAffinity({ ttlCache, clock, snapshots }: AffinityDeps): Affinity {
  const shared = ttlCache('affinity', {
    lifetimeMs: HOUR_MS,
    get entriesMax() {
      return snapshots?.settings().affinity?.entriesMax ?? BINDINGS_MAX
    },
    bytesMax: BYTES_MAX,
    valueBytesMax: 64,
    nearMs: NEAR_MS,
  })
  const recent = new RecentBindings()

  function findIn(place: Place): Bindings | Promise<Bindings> {
    const text = shared.get(place.key)
    return text instanceof Promise ? text.then((value) => readAs(place, value)) : readAs(place, text)
  }

  async function findInAll(session: string, { groups, model }: BindingPlaces): Promise<Bindings> {
    const found = await Promise.all(
      groups.map(async (group) => findIn(recent.place(session, { group, model }))),
    )
    return new Map(found.flatMap((bindings) => [...bindings]))
  }

  return {
    find: (session, places) => {
      const [group, ...others] = places.groups
      if (group === undefined) return NONE
      if (others.length > 0) return findInAll(session, places)
      return findIn(recent.place(session, { group, model: places.model }))
    },
    bind: (session, at, binding) => {
      const place = recent.place(session, at)
      const nowMs = clock.monotonicMs()
      if (nowMs < place.renewAtMs && isSameBinding(place.binding, binding)) return
      const text = bindingText(binding)
      readAs(place, text)
      place.renewAtMs = nowMs + binding.lifetimeMs * RENEWED_AFTER
      shared.put(place.key, text, binding.lifetimeMs)
    },
    unbind: (session, at) => {
      const place = recent.place(session, at)
      readAs(place, undefined)
      shared.remove(place.key)
    },
    clear: () => {
      recent.clear()
      return shared.clear()
    },
    count: () => shared.count(),
  }
}

/** Reads a text once, as long as it stays the same. */
function readAs(place: Place, text: string | undefined): Bindings {
  if (place.text === text) return place.bindings ?? NONE
  const binding = text === undefined ? undefined : readBinding(text)
  place.text = text
  place.renewAtMs = 0
  place.binding = binding
  place.bindings = binding && new Map([[place.group, binding]])
  return place.bindings ?? NONE
}
