import { isRecord, parseObject } from '@tollgate/kit/json'
import { text } from './cell.ts'
import type { FilledColumn, Source, SourceRow } from './source.ts'

/** More names than any program writes: an object keyed by ids or models would fill the report otherwise. */
const MEMBERS_MAX = 200

/**
 * Counts the rows in which members of the JSON columns hold something, by `column.member`. One pass over the
 * table, whatever the number of columns.
 */
export async function countMembers(
  source: Source,
  { table, columns, defaults }: MemberQuery,
): Promise<ReadonlyMap<string, FilledColumn>> {
  const present = columns.filter((column) => source.tables.get(table)?.has(column))
  const filled = new Map<string, FilledColumn>()
  if (present.length === 0) return filled
  for await (const rows of source.pages(table))
    for (const row of rows)
      for (const [name, value] of present.flatMap((column) => listMembers(row, column)))
        if (!isNothing(value) && (readSample(value) || 'other') !== defaults.get(name))
          count(filled, name, value)
  return filled
}

export interface MemberQuery {
  readonly table: string
  readonly columns: readonly string[]
  /** Values that count as nothing, by `column.member`. */
  readonly defaults: ReadonlyMap<string, string>
}

function listMembers(row: SourceRow, column: string): readonly (readonly [string, unknown])[] {
  const json = text(row, column)
  if (json.length < 3) return []
  const members = Object.entries(parseObject(json) ?? {})
  return members.map(([member, value]) => [`${column}.${member.slice(0, 100)}`, value] as const)
}

function count(filled: Map<string, FilledColumn>, name: string, value: unknown): void {
  const earlier = filled.get(name)
  if (earlier) filled.set(name, { ...earlier, rows: earlier.rows + 1 })
  else if (filled.size < MEMBERS_MAX) filled.set(name, { rows: 1, sample: readSample(value) })
}

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === 0 || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return isRecord(value) && Object.keys(value).length === 0
}

/** Only a plain value shows what it may be about. */
function readSample(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
