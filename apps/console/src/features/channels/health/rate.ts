import type { Tone } from '../../../shared/status/status.tsx'

export interface Counted {
  readonly succeeded: number
  readonly failed: number
}

const GOOD_SHARE = 0.98
const BAD_SHARE = 0.9

/** Tone of the share of finished calls that succeeded: nearly all, worth a look, or bad. */
export function toneOfRate({ succeeded, failed }: Counted): Tone {
  const count = succeeded + failed
  if (count === 0) return 'idle'
  const share = succeeded / count
  if (share >= GOOD_SHARE) return 'ok'
  return share >= BAD_SHARE ? 'look' : 'act'
}

/** `99.2`; never rounded up to 100 if anything failed. */
export function percentText({ succeeded, failed }: Counted): string {
  const percent = (succeeded / Math.max(1, succeeded + failed)) * 100
  const shown = Math.floor(percent * 10) / 10
  return Number.isInteger(shown) ? String(shown) : shown.toFixed(1)
}
