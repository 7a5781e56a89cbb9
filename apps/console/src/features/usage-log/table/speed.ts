import type { LogRow } from '@tollgate/contract/log'
import type { Tone } from '../../../shared/status/status.tsx'

/** Duration and time to first token of a call; `undefined` if the row does not contain them. */
export interface Speed {
  readonly durationMs: number
  readonly firstTokenMs: number | undefined
}

/** Rows of older gateways contain whole seconds only, and the time to the first token in `other.frt`. */
export function speedOf(
  row: Pick<LogRow, 'duration_ms' | 'use_time' | 'first_byte_ms'>,
  frt?: number,
): Speed {
  const firstTokenMs = row.first_byte_ms > 0 ? row.first_byte_ms : frt
  return {
    durationMs: row.duration_ms > 0 ? row.duration_ms : row.use_time * 1000,
    firstTokenMs: firstTokenMs !== undefined && firstTokenMs > 0 ? firstTokenMs : undefined,
  }
}

export function durationTone(durationMs: number): Tone {
  if (durationMs < 101_000) return 'ok'
  return durationMs < 300_000 ? 'look' : 'act'
}

export function firstTokenTone(firstTokenMs: number): Tone {
  if (firstTokenMs < 3000) return 'ok'
  return firstTokenMs < 10_000 ? 'look' : 'act'
}
