import type { Tone } from '../../shared/status/status.tsx'

const FAST_MS = 1000
const SLOW_MS = 5000

/** Of the time a test took: fine up to a second, to be acted on above five. */
export function toneOfTest(milliseconds: number): Tone {
  if (milliseconds <= FAST_MS) return 'ok'
  return milliseconds <= SLOW_MS ? 'look' : 'act'
}
