import type { Clock } from '@tollgate/kit/clock'
import type { OneTime } from './one-time.ts'

/** Anybody may cause an entry: beyond this the oldest goes. */
const ENTRIES_MAX = 100_000

interface Entry {
  readonly value: string
  readonly endsMs: number
}

export function memoryOneTime(clock: Clock, entriesMax = ENTRIES_MAX): OneTime {
  const entries = new Map<string, Entry>()

  /** An entry that has outlived its time is like none. */
  function find(key: string): Entry | undefined {
    const entry = entries.get(key)
    if (entry && entry.endsMs > clock.monotonicMs()) return entry
    entries.delete(key)
    return undefined
  }

  /** Lifetimes are much alike, so the first entries are the ones that end first. */
  function forgetEnded(): void {
    for (const [key, { endsMs }] of entries) {
      if (entries.size <= entriesMax && endsMs > clock.monotonicMs()) return
      entries.delete(key)
    }
  }

  return {
    put: async (key, value, lifetimeMs) => {
      if (find(key)) return false
      entries.set(key, { value, endsMs: clock.monotonicMs() + lifetimeMs })
      forgetEnded()
      return true
    },
    take: async (key) => {
      const entry = find(key)
      entries.delete(key)
      return entry?.value
    },
  }
}
