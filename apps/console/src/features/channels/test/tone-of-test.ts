import type { Tone } from '../../../shared/status/status.tsx'

const FAST_MS = 1000
const FAIR_MS = 3000
const SLOW_MS = 5000

/** Tone of a test's duration: green under 1 s, lime up to 3 s, amber up to 5 s, then red. */
export function toneOfTest(milliseconds: number): Tone {
  if (milliseconds < FAST_MS) return 'ok'
  if (milliseconds <= FAIR_MS) return 'fair'
  return milliseconds <= SLOW_MS ? 'look' : 'act'
}
