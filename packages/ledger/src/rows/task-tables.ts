import type { ChargedTask } from '../core/state.ts'
import type { NewTask, TaskEnd } from '../inputs.ts'
import { type FieldWord, type WrittenColumn, WrittenTable } from './table.ts'

/** Rows of upstream tasks: one statement inserts a task with its call, another sets its final state. */

const NEW_TASK = {
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
} as const satisfies Readonly<Record<keyof NewTask, FieldWord>>

const TASK_END = {
  id: 'int8',
  status: 'key',
  progress: 'key',
  fail_reason: 'text',
  finish_ms: 'int8',
  detail: 'text',
  updated_ms: 'int8',
} as const satisfies Readonly<Record<keyof Omit<TaskEnd, 'version'>, FieldWord>>

export const newTaskTable = new WrittenTable<ChargedTask>({
  name: 'tasks',
  columns: {
    ...columnsOf(NEW_TASK, ({ task }: ChargedTask) => task),
    request_id: { word: 'key', encode: ({ requestId }) => requestId },
    quota: { word: 'int8', encode: ({ quota }) => quota },
    version: { word: 'int8', encode: () => 1 },
  },
})

export const taskEndTable = new WrittenTable<TaskEnd>({
  name: 'tasks',
  keys: ['id'],
  isVersioned: true,
  columns: {
    ...columnsOf(TASK_END, (end: Omit<TaskEnd, 'version'>) => end),
    version: { word: 'int8', encode: ({ version }) => version + 1 },
  },
})

function columnsOf<Row, Name extends string>(
  words: Readonly<Record<Name, FieldWord>>,
  part: (row: Row) => Readonly<Record<Name, string | number>>,
): Readonly<Record<string, WrittenColumn<Row>>> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object's own keys are those of its literal
  const names = Object.keys(words) as Name[]
  return Object.fromEntries(
    names.map((name) => [name, { word: words[name], encode: (row: Row) => part(row)[name] }]),
  )
}
