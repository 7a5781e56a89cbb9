import type { Clock } from '@tollgate/kit/clock'
import type { OneTime } from './one-time.ts'

/** Anonymous requests can create entries, so their number is bounded: beyond this the oldest is dropped. */
const ENTRIES_MAX = 100_000

interface Entry {
  readonly value: string
  readonly endsMs: number
}

export function memoryOneTime(clock: Clock, entriesMax = ENTRIES_MAX): OneTime {
  const entries = new Map<string, Entry>()

  /** Treats an expired entry as missing. */
  function find(key: string): Entry | undefined {
    const entry = entries.get(key)
    if (entry && entry.endsMs > clock.monotonicMs()) return entry
    entries.delete(key)
    return undefined
  }

  /** Lifetimes are similar, so the oldest entries are roughly the first to expire. */
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
