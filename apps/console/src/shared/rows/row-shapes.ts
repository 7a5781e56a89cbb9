import type { RowShape } from '@tollgate/contract/options/definition'
import { isRecord, parseJson } from '@tollgate/kit/json'

/** One row of a table, as it is typed: the names come first, the values last. */
export type Row = readonly string[]

/** Converts the rows of a table from and to JSON. */
export interface RowCodec {
  /** `undefined`: a table cannot represent this text. */
  readonly read: (text: string) => readonly Row[] | undefined
  /** Completely empty rows are left out. */
  readonly write: (rows: readonly Row[]) => string
}

/**
 * Rows that an object cannot represent, because a name is missing or repeated, are stored as a list of rows.
 * Nothing that was typed is lost, and no setting accepts such a list.
 */
export function rowCodec(shape: RowShape): RowCodec {
  const { toRows, toValue } = forms[shape]
  return {
    read: (text) => {
      const value = text.trim() === '' ? {} : parseJson(text)
      if (value === undefined) return undefined
      return isListOfRows(value) ? value : toRows(value)
    },
    write: (rows) => {
      const reported = rows.filter((row) => row.some((cell) => cell.trim() !== ''))
      return JSON.stringify(toValue(reported) ?? reported, undefined, 2)
    },
  }
}

/** Indexes of rows whose names occur in an earlier row, for tables in which names must be unique. */
export function repeatedRows(shape: RowShape, rows: readonly Row[]): ReadonlySet<number> {
  const { names } = forms[shape]
  if (names === 0) return new Set()
  const seen = new Set<string>()
  return new Set(
    rows.flatMap((row, place) => {
      const name = nameOf(row, names)
      if (row.slice(0, names).some((cell) => cell.trim() === '')) return []
      if (seen.has(name)) return [place]
      seen.add(name)
      return []
    }),
  )
}

interface Form {
  /** Number of cells that form the name of a row; 0: rows may have the same name. */
  readonly names: number
  readonly toRows: (value: unknown) => readonly Row[] | undefined
  /** `undefined`: the rows do not form a valid value yet. */
  readonly toValue: (rows: readonly Row[]) => unknown
}

const forms: Readonly<Record<RowShape, Form>> = {
  numbers: { names: 1, toRows: rowsOfMap, toValue: (rows) => mapOf(rows, numeric) },
  texts: { names: 1, toRows: rowsOfMap, toValue: (rows) => mapOf(rows, trimmed) },
  'nested-numbers': {
    names: 2,
    toRows: (value) => nestedRows(value, rowsOfMap),
    toValue: (rows) => nestedOf(rows, (inner) => mapOf(inner, numeric)),
  },
  'nested-lists': {
    names: 0,
    toRows: (value) => nestedRows(value, rowsOfLists),
    toValue: (rows) => nestedOf(rows, listsOf),
  },
  names: {
    names: 1,
    toRows: (value) =>
      Array.isArray(value) && value.every(isScalar) ? value.map((name) => [String(name)]) : undefined,
    toValue: (rows) => rows.map(([name = '']) => name.trim()),
  },
  tiers: { names: 1, toRows: rowsOfTiers, toValue: tiersOf },
  'context-tiers': {
    names: 2,
    toRows: (value) => nestedRows(value, rowsOfTiers),
    toValue: (rows) => nestedOf(rows, tiersOf),
  },
  'labelled-texts': {
    names: 0,
    toRows: (value) => (Array.isArray(value) ? joined(value.map(labelledRow)) : undefined),
    toValue: (rows) => rows.map(([label = '', text = '']) => ({ [label.trim()]: text.trim() })),
  },
}

function rowsOfMap(value: unknown): readonly Row[] | undefined {
  const entries = entriesOf(value)
  if (entries?.every(([, inner]) => isScalar(inner)) !== true) return undefined
  return entries.map(([name, inner]) => [name, String(inner)])
}

function mapOf(rows: readonly Row[], read: (cell: string) => unknown): object | undefined {
  const entries = rows.map(([name = '', cell = '']) => [name.trim(), read(cell)] as const)
  const map = new Map(entries)
  return map.size < rows.length || map.has('') ? undefined : Object.fromEntries(map)
}

function nestedRows(
  value: unknown,
  read: (inner: unknown) => readonly Row[] | undefined,
): readonly Row[] | undefined {
  const entries = entriesOf(value)
  return (
    entries && joined(entries.map(([name, inner]) => read(inner)?.map((row): Row => [name, ...row])))?.flat()
  )
}

function nestedOf(
  rows: readonly Row[],
  write: (inner: readonly Row[]) => object | undefined,
): object | undefined {
  const groups = Map.groupBy(rows, ([name = '']) => name.trim())
  const inner = joined([...groups].map(([name, own]) => pair(name, write(own.map((row) => row.slice(1))))))
  return inner === undefined || groups.has('') ? undefined : Object.fromEntries(inner)
}

function pair(name: string, value: object | undefined): readonly [string, object] | undefined {
  return value && [name, value]
}

/** A name with several values becomes several rows. */
function rowsOfLists(value: unknown): readonly Row[] | undefined {
  const entries = entriesOf(value)
  return (
    entries &&
    joined(
      entries.map(([name, list]) =>
        Array.isArray(list) && list.every(isScalar)
          ? list.map((item): Row => [name, String(item)])
          : undefined,
      ),
    )?.flat()
  )
}

function listsOf(rows: readonly Row[]): object | undefined {
  const groups = Map.groupBy(rows, ([name = '']) => name.trim())
  if (groups.has('')) return undefined
  return Object.fromEntries([...groups].map(([name, own]) => [name, own.map(([, cell = '']) => cell.trim())]))
}

const TIER_MEMBERS = ['above', 'input', 'output', 'cache']

/** An empty list of tiers, or a tier with other members, can only be edited as text. */
function rowsOfTiers(value: unknown): readonly Row[] | undefined {
  return Array.isArray(value) && value.length > 0 ? joined(value.map(rowOfTier)) : undefined
}

function rowOfTier(value: unknown): Row | undefined {
  const cells = rowsOfMap(value)
  if (cells?.every(([name = '']) => TIER_MEMBERS.includes(name)) !== true) return undefined
  return TIER_MEMBERS.map((name) => cells.find(([member]) => member === name)?.[1] ?? '')
}

/** Empty cells are not written. */
function tiersOf(rows: readonly Row[]): object {
  return rows.map((row) => {
    const reported = TIER_MEMBERS.map((name, place) => [name, row[place]?.trim() ?? ''] as const)
    return Object.fromEntries(
      reported.filter(([, cell]) => cell !== '').map(([name, cell]) => [name, numeric(cell)]),
    )
  })
}

function labelledRow(value: unknown): Row | undefined {
  const rows = rowsOfMap(value)
  return rows?.length === 1 ? rows[0] : undefined
}

/** Text that is not a number stays text, which validation rejects, instead of becoming a different number. */
function numeric(cell: string): number | string {
  const text = cell.trim()
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?$/i.test(text) ? Number(text) : text
}

function trimmed(cell: string): string {
  return cell.trim()
}

function nameOf(row: Row, names: number): string {
  return JSON.stringify(row.slice(0, names).map(trimmed))
}

/** Returns all values, or `undefined` if one is missing. */
function joined<Value>(values: readonly (Value | undefined)[]): readonly Value[] | undefined {
  const known = values.filter((value) => value !== undefined)
  return known.length === values.length ? known : undefined
}

function entriesOf(value: unknown): readonly [string, unknown][] | undefined {
  return isRecord(value) ? Object.entries(value) : undefined
}

function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

function isListOfRows(value: unknown): value is readonly Row[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRow)
}

function isRow(value: unknown): boolean {
  return Array.isArray(value) && value.every((cell) => typeof cell === 'string')
}
