import type { NewWork } from '@tollgate/store/operations/outbox'
import { WrittenTable } from './table.ts'

/** The outbox, for notices that are queued with a command. */
export const noticeTable = new WrittenTable<NewWork>({
  name: 'outbox',
  columns: {
    cause: { word: 'key', encode: ({ cause }) => cause },
    kind: { word: 'key', encode: ({ kind }) => kind },
    payload: { word: 'text', encode: ({ payload }) => payload },
    state: { word: 'key', encode: () => 'pending' },
    attempts: { word: 'int4', encode: () => 0 },
    due_ms: { word: 'int8', encode: ({ dueMs }) => dueMs },
    created_ms: { word: 'int8', encode: ({ nowMs }) => nowMs },
    reason: { word: 'text', encode: () => '' },
  },
})
