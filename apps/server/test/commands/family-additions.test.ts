import { listFamilyColumns } from '@tollgate/importer/family/columns'
import { describe, expect, it } from 'vitest'
import { jsonReport } from '../../src/commands/import/json-report.ts'
import { printReport } from '../../src/commands/import/print-report.ts'
import { fitRows, makeRows } from './support/family-rows.ts'
import { makeSchema } from './support/family-schema.ts'
import { makeTarget } from './support/run.ts'
import { sourceServers, sqliteSource } from './support/source-database.ts'
import type { Row, Tables } from './support/source-rows.ts'

/**
 * Nobody can know the columns of next year. Whatever a newer release or a fork adds, with a value in it, must be
 * in the report.
 */

const ADDED = {
  bonus_amount: { type: 'F', value: 12.5 },
  paid_until: { type: 'I', value: 1_900_000_000 },
  freeze_state: { type: 'I', value: 3 },
  nickname: { type: 'S', value: 'ö' },
} as const
const ADDED_MEMBERS = { spend_cap: 12.5, ends_at: '2027-01-01', mode: 3, hint: 'ö' }

/** JSON columns that are kept as they are, so that no member can be lost. */
const KEPT_WHOLE = new Set([
  'channels.model_mapping',
  'channels.status_code_mapping',
  'channels.param_override',
  'channels.header_override',
])

const makers = [
  { label: 'SQLite', make: sqliteSource },
  ...(await sourceServers()).map(({ label, make }) => ({ label, make })),
]

describe.each(makers)('a database on $label with additions', ({ make }) => {
  it('has every added column, member, setting and table in the report', async () => {
    const schema = makeSchema('2026-09')
    const wider = Object.fromEntries(
      Object.entries(schema).map(([table, columns]) => [
        table,
        { ...columns, ...Object.fromEntries(Object.entries(ADDED).map(([name, { type }]) => [name, type])) },
      ]),
    )
    const tables = fitRows(addRows(await makeRows('2026-09'), Object.keys(schema)), wider)
    const source = await make({
      schema: { ...wider, coupons: COUPONS },
      tables: { ...tables, coupons: [{ id: 1, quota: 5 }] },
    })
    const target = makeTarget()
    const result = await target.import(source.place, { withLogs: true })
    target.drop()
    await source.drop()

    const named = new Set(result.report.losses.map(({ table, name }) => `${table}.${name}`))
    const expected = [...columnsOf(Object.keys(schema)), ...membersOf(), ...settings, 'coupons.']
    expect(expected.length).toBeGreaterThan(60)
    console.log(`${expected.length} additions, ${named.size} losses named`)
    expect(expected.filter((name) => !named.has(name))).toEqual([])

    const lines = printReport(result, { isDryRun: false })
    const looks = lines.slice(lines.indexOf('To look at:'), lines.indexOf(REST))
    for (const name of ['bonus_amount', 'paid_until', 'freeze_state'])
      expect(looks.some((line) => line.includes(`users.${name}, `))).toBe(true)
    const rest = lines.slice(lines.indexOf(REST))
    expect(rest.filter((line) => line.startsWith('  users: '))).toHaveLength(1)
    expect(rest.find((line) => line.startsWith('  users: '))).toContain('nickname')
    expect(JSON.stringify(jsonReport(result, { isDryRun: false }), exact)).toContain('freeze_state')
    expect(lines.join('\n')).not.toContain('ö')
  })
})

const REST = 'Not kept, and without effect on money or access:'
const COUPONS = { id: 'id', quota: 'I' }
const READ_WITHOUT_ROWS = new Set(['options'])

/** Tables that are only counted are named as a whole. */
function columnsOf(tables: readonly string[]): readonly string[] {
  const read = tables.filter((table) => listFamilyColumns(table).size > 0 && !READ_WITHOUT_ROWS.has(table))
  return read.flatMap((table) => Object.keys(ADDED).map((name) => `${table}.${name}`))
}

const MEMBER_COLUMNS = [
  'users.setting',
  'channels.setting',
  'channels.settings',
  'channels.channel_info',
  'channels.other_info',
]

function membersOf(): readonly string[] {
  return MEMBER_COLUMNS.flatMap((column) => Object.keys(ADDED_MEMBERS).map((member) => `${column}.${member}`))
}

const ADDED_OPTIONS = {
  MonthlyBudget: '500',
  'access_setting.valid_until': '2027-01-01',
  'feature.state': '3',
  'site.motto': 'ö',
}
const settings = Object.keys(ADDED_OPTIONS).map((key) => `options.${key}`)

function addRows(tables: Tables, names: readonly string[]): Tables {
  const added = Object.fromEntries(Object.entries(ADDED).map(([name, { value }]) => [name, value]))
  const members = JSON.stringify(ADDED_MEMBERS)
  return Object.fromEntries(
    names.map((table) => {
      const rows = tables[table] ?? []
      if (table === 'options') {
        const options = Object.entries(ADDED_OPTIONS).map(([key, value]) => ({ key, value }))
        return [table, [...rows, ...options]]
      }
      const jsonColumns = MEMBER_COLUMNS.filter((column) => column.startsWith(`${table}.`))
      const json = Object.fromEntries(jsonColumns.map((column) => [column.slice(table.length + 1), members]))
      const plain: Row =
        table === 'abilities' ? { group: 'default', model: 'm', channel_id: 1 } : { id: 9_000 }
      const usual = rows.at(-1) ?? plain
      const more: Row = { ...usual, ...unique(table, usual), ...json, ...added }
      return [table, [...rows, more]]
    }),
  )
}

function unique(table: string, { id }: Row): Row {
  if (table === 'abilities') return {}
  const text = `added-${table}`
  return { id: Number(id) + 100, username: text, key: text, trade_no: text, aff_code: text }
}

function exact(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}

it('every JSON column is listed member by member, or kept whole', () => {
  const whole = [...listFamilyColumns('channels').values(), ...listFamilyColumns('users').values()]
    .filter(({ type, column, fate }) => type === 'json' && !column.includes('.') && fate === 'kept')
    .map(({ table, column }) => `${table}.${column}`)
    .filter((name) => !MEMBER_COLUMNS.includes(name) && name !== 'channels.config')
  expect(whole.filter((name) => !KEPT_WHOLE.has(name))).toEqual([])
})
