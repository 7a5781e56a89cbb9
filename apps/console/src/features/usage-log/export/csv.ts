import type { LogRow } from '@tollgate/contract/log'

const columns = [
  'id',
  'created_at',
  'type',
  'username',
  'token_name',
  'group',
  'model_name',
  'channel',
  'channel_name',
  'is_stream',
  'duration_ms',
  'first_byte_ms',
  'prompt_tokens',
  'completion_tokens',
  'quota',
  'request_id',
  'content',
  'other',
] as const satisfies readonly (keyof LogRow)[]

/** Rows as comma-separated values, with the field names of the log as heading. Times are ISO 8601. */
export function logCsv(rows: readonly LogRow[]): string {
  const lines = rows.map((row) => columns.map((column) => cell(valueOf(row, column))).join(','))
  return [columns.join(','), ...lines].join('\r\n')
}

function valueOf(row: LogRow, column: (typeof columns)[number]): string {
  if (column === 'created_at') return new Date(row.created_at * 1000).toISOString()
  return String(row[column])
}

const FORMULA_START = /^[=+\-@\t\r]/
const NUMBER = /^-?\d+(\.\d+)?$/

/** A text that a spreadsheet would run as a formula starts with an apostrophe; names come from anybody. */
function cell(text: string): string {
  const harmless = FORMULA_START.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
