import { useQueries } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import type { PaletteEntry } from './palette-store.ts'

/** Searches the server for objects by name: channels, tokens, users. */
export interface Finder {
  readonly name: string
  readonly find: (text: string, signal: AbortSignal) => Promise<readonly PaletteEntry[]>
}

const LETTERS_MIN = 2
const PAUSE_MS = 200

/** Results of all finders for the typed text; a finder that fails returns nothing. */
export function useFound(finders: readonly Finder[], typed: string): readonly PaletteEntry[] {
  const text = useDeferredValue(typed.trim())
  return useQueries({
    queries: finders.map((finder) => ({
      queryKey: ['palette', finder.name, text],
      enabled: text.length >= LETTERS_MIN,
      retry: false,
      queryFn: async ({ signal }: { signal: AbortSignal }) => {
        await pause(signal)
        return finder.find(text, signal)
      },
    })),
    combine: (results) => results.flatMap((result) => result.data ?? []),
  })
}

/** Waits before the request is sent, so that the next typed letter can abort it. */
function pause(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, PAUSE_MS)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
