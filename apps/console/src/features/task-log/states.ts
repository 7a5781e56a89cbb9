import type { Tone } from '../../shared/status/status.tsx'
import type { TaskLogKey } from './i18n.ts'

const states: ReadonlyMap<string, readonly [TaskLogKey, Tone]> = new Map<string, readonly [TaskLogKey, Tone]>(
  [
    ['', ['state.submitting', 'idle']],
    ['NOT_START', ['state.notStarted', 'idle']],
    ['SUBMITTED', ['state.submitted', 'look']],
    ['QUEUED', ['state.queued', 'look']],
    ['IN_PROGRESS', ['state.inProgress', 'look']],
    ['MODAL', ['state.modal', 'look']],
    ['SUCCESS', ['state.success', 'ok']],
    ['FAILURE', ['state.failure', 'act']],
    ['UNKNOWN', ['state.unknown', 'look']],
  ],
)

export function wordOfState(status: string): readonly [TaskLogKey, Tone] {
  return states.get(status) ?? (['state.unknown', 'idle'] as const)
}

export function isEnded(status: string): boolean {
  return status === 'SUCCESS' || status === 'FAILURE'
}

const results: ReadonlyMap<number, readonly [TaskLogKey, Tone]> = new Map<
  number,
  readonly [TaskLogKey, Tone]
>([
  [1, ['result.submitted', 'ok']],
  [21, ['result.duplicate', 'look']],
  [22, ['result.waiting', 'look']],
])

/** The label for an upstream's result code of a submission. */
export function wordOfResult(code: number): readonly [TaskLogKey, Tone] {
  return results.get(code) ?? (['result.refused', 'act'] as const)
}

const SLOW_MS = 60_000

/** Milliseconds from submission to finish; `undefined` while the task is unfinished. */
export function spentMs(submitMs: number, finishMs: number): number | undefined {
  return submitMs > 0 && finishMs > 0 ? Math.max(0, finishMs - submitMs) : undefined
}

export function spentTone(ms: number): Tone {
  return ms > SLOW_MS ? 'act' : 'ok'
}

/** 0 to 100. */
export function percentOf(progress: string): number {
  const percent = Number.parseInt(progress, 10)
  return Number.isNaN(percent) ? 0 : Math.min(100, Math.max(0, percent))
}
