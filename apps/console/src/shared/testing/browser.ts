// What jsdom lacks of a browser and the console relies on. Loaded before every test of the console.
import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'

class NeverResized implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

/** A wide, light screen that never changes. */
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

// Loaded after the above: these modules ask the browser as soon as they are read.
const { setLanguage } = await import('../i18n/language.ts')
await setLanguage('en')

// Generous, so that a busy machine is never taken for a bug.
configure({ asyncUtilTimeout: 20_000 })

afterEach(cleanup)
