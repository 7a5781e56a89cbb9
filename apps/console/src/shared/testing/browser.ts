// Adds browser features that jsdom lacks and the console needs. Loaded before every test of the console.
import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

class NeverResized implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

/** Simulates a wide, light screen that never changes. */
function matchNothing(media: string): MediaQueryList {
  return Object.assign(new EventTarget(), {
    media,
    matches: false,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
  })
}

globalThis.ResizeObserver ??= NeverResized
globalThis.matchMedia ??= matchNothing

// Imported after the definitions above, because these modules use browser features during import.
const { setLanguage } = await import('../i18n/language.ts')
await setLanguage('en')

// A long timeout, so that a busy machine does not cause failures.
configure({ asyncUtilTimeout: 20_000 })

afterEach(cleanup)
