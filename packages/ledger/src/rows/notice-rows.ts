import type { NewWork } from '@tollgate/store/operations/outbox'

/** Columns of an outbox row, for every engine. */
export const NOTICE_FIELDS = {
  cause: 'key',
  kind: 'key',
  payload: 'text',
  state: 'key',
  attempts: 'int4',
  due_ms: 'int8',
  created_ms: 'int8',
  reason: 'text',
} as const

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object's own keys are those of its literal
export const NOTICE_NAMES = Object.keys(NOTICE_FIELDS) as (keyof typeof NOTICE_FIELDS)[]

export function noticeRow({ cause, kind, payload, dueMs, nowMs }: NewWork) {
  return {
    cause,
    kind,
    payload,
    state: 'pending',
    attempts: 0,
    due_ms: dueMs,
    created_ms: nowMs,
    reason: '',
  }
}
