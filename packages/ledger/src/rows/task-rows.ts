import type { NewTask, TaskEnd } from '../inputs.ts'
import type { ChargedTask } from '../core/state.ts'

/** Columns of a task row, for every engine. */

const NEW_TASK_FIELDS = {
  platform: 'key',
  task_id: 'key',
  user_id: 'int8',
  token_id: 'int8',
  channel_id: 'int8',
  action: 'key',
  status: 'key',
  progress: 'key',
  fail_reason: 'text',
  submit_ms: 'int8',
  start_ms: 'int8',
  finish_ms: 'int8',
  deadline_ms: 'int8',
  secret_hash: 'key',
  detail: 'text',
  created_ms: 'int8',
  updated_ms: 'int8',
} as const satisfies Readonly<Record<keyof NewTask, 'key' | 'int8' | 'text'>>

export const TASK_FIELDS = {
  ...NEW_TASK_FIELDS,
  request_id: 'key',
  quota: 'int8',
  version: 'int8',
} as const

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object's own keys are those of its literal
export const TASK_NAMES = Object.keys(TASK_FIELDS) as (keyof typeof TASK_FIELDS)[]

export const TASK_CHANGED = [
  'status',
  'progress',
  'fail_reason',
  'finish_ms',
  'detail',
  'updated_ms',
  'version',
] as const satisfies readonly (keyof TaskEnd)[]

export const TASK_END_FIELDS = {
  id: 'int8',
  status: 'key',
  progress: 'key',
  fail_reason: 'text',
  finish_ms: 'int8',
  detail: 'text',
  updated_ms: 'int8',
  version: 'int8',
} as const satisfies Readonly<Record<keyof TaskEnd, 'key' | 'int8' | 'text'>>

export function taskRow({ task, requestId, quota }: ChargedTask) {
  return { ...task, request_id: requestId, quota, version: 1 }
}

/** The row after the update, with its version incremented. */
export function endedTaskRow(end: TaskEnd): TaskEnd {
  return { ...end, version: end.version + 1 }
}
