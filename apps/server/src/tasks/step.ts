import { TASK_REASON } from '@tollgate/contract/task-words'
import { parseObject, textAt } from '@tollgate/dialects/json'
import { TASK_STATES, type TaskUpdate, statusOf } from '@tollgate/providers/tasks/task'
import { type TaskChange, type TaskRow, isEnded } from '@tollgate/store/operations/tasks'

/** What an update does to a task: nothing, a step forward, success or failure. Never a step back. */
export type TaskStep =
  | { readonly type: 'none' }
  | { readonly type: 'forward'; readonly change: TaskChange }
  | { readonly type: 'success'; readonly change: TaskChange }
  | { readonly type: 'failure'; readonly change: TaskChange; readonly reason: string }

const NONE: TaskStep = { type: 'none' }
/** A larger `detail` is not stored; the task keeps the previous one. */
const DETAIL_CHARACTERS_MAX = 256 * 1024

export function stepOf(row: TaskRow, update: Omit<TaskUpdate, 'taskId'>): TaskStep {
  if (isEnded(row)) return NONE
  const failing = failingOf(row)
  if (failing !== undefined) return { type: 'failure', change: {}, reason: failing }
  const status = later(row.status, update.status)
  const isDone = status === 'SUCCESS' || status === 'FAILURE'
  const change = {
    status,
    progress: isDone ? '100%' : higher(row.progress, update.progress),
    start_ms: row.start_ms || (update.startMs ?? 0),
    finish_ms: isDone ? (update.finishMs ?? 0) : row.finish_ms,
    detail: merged(row.detail, update.detail),
    ...(update.failReason !== '' && { fail_reason: update.failReason }),
  }
  if (status === 'FAILURE')
    return { type: 'failure', change, reason: update.failReason || TASK_REASON.failed }
  if (status === 'SUCCESS') return { type: 'success', change: { ...change, fail_reason: '' } }
  return isChanged(row, change) ? { type: 'forward', change } : NONE
}

/** Why a task fails whose refund is under way; later reports of its upstream do not change that. */
export function failingOf({ detail }: Pick<TaskRow, 'detail'>): string | undefined {
  return textAt(parseObject(detail) ?? {}, 'failing')
}

export function withFailing({ detail }: Pick<TaskRow, 'detail'>, reason: string): string {
  return JSON.stringify({ ...parseObject(detail), failing: reason })
}

/** The mark is removed once the task has failed. */
export function withoutFailing(detail: string): string {
  const known = parseObject(detail)
  if (known === undefined || !Object.hasOwn(known, 'failing')) return detail
  const { failing: _over, ...rest } = known
  return JSON.stringify(rest)
}

function later(before: string, reported: TaskUpdate['status']): string {
  if (reported === undefined) return before
  return rankOf(reported) > rankOf(before) ? reported : before
}

/** An unknown status of an earlier system counts as the first state. */
function rankOf(status: string): number {
  return TASK_STATES.indexOf(statusOf(status) ?? 'UNKNOWN')
}

function higher(before: string, reported: number | undefined): string {
  const known = Number.parseInt(before, 10) || 0
  return `${Math.max(known, reported ?? 0)}%`
}

/** Any report ends the count of polls without one (`missed`). */
function merged(before: string, update: TaskUpdate['detail']): string {
  const { missed: _over, ...known } = parseObject(before) ?? {}
  const text = JSON.stringify({ ...known, ...update })
  return text.length > DETAIL_CHARACTERS_MAX ? before : text
}

function isChanged(row: TaskRow, change: TaskChange): boolean {
  const before = new Map<string, unknown>(Object.entries(row))
  return Object.entries(change).some(([name, value]) => before.get(name) !== value)
}

/**
 * Index of the channel key with which a task was submitted; 0 when the channel no longer has that many keys.
 */
export function keyIndexOf({ detail }: Pick<TaskRow, 'detail'>, keys: number): number {
  const index = parseObject(detail)?.['key_index']
  return typeof index === 'number' && index >= 0 && index < keys ? index : 0
}

/** The upstream's id of a task, which callers do not see where the platform hides ids. */
export function upstreamIdOf({ task_id: taskId, detail }: Pick<TaskRow, 'task_id' | 'detail'>): string {
  return textAt(parseObject(detail) ?? {}, 'upstream_id') ?? taskId
}
