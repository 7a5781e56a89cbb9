import { useSyncExternalStore } from 'react'
import { size } from '../design/tokens.ts'

const query = globalThis.matchMedia?.(`(max-width: ${size.phoneMaxPx}px)`)

/** True at phone width. Layout that CSS alone can change should use a media query instead. */
export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, isPhone)
}

/** The current value, for code outside components. */
export function isPhone(): boolean {
  return query?.matches ?? false
}

function subscribe(notify: () => void): () => void {
  query?.addEventListener('change', notify)
  return () => query?.removeEventListener('change', notify)
}
