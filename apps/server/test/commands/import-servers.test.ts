import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ImportResult } from '../../src/commands/import/run-import.ts'
import { compareBalances, contents, differences } from './support/compare.ts'
import { type TargetFolder, makeTarget } from './support/run.ts'
import { type SourceDatabase, rowsOf, sourceServers, sqliteSource } from './support/source-database.ts'

const servers = await sourceServers()

/** Columns that differ from run to run, or between engines because their source rows differ. */
const ENCRYPTED = ['key_sealed', 'setting', 'header_override', 'param_override', 'value']
const OWN = ['id', ...ENCRYPTED, 'updated_ms', 'created_ms', 'up_to_ms']

it('prints the database servers it runs against', () => {
  console.log(`imports from ${servers.map(({ label }) => label).join(' and ') || 'SQLite alone'}`)
})

describe.each(servers)('an import from $label', ({ make }) => {
  let source: SourceDatabase
  let target: TargetFolder
  let result: ImportResult
  beforeAll(async () => {
    source = await make({ isSmall: true })
    target = makeTarget()
    result = await target.import(source.place, { withLogs: true })
  })
  afterAll(async () => {
    target.drop()
    await source.drop()
  })

  it('every balance equals the source, and the ledger balances', async () => {
    expect(result.audit?.findings).toEqual([])
    expect(await target.open((store) => compareBalances(store, source.tables))).toBeGreaterThan(1_000)
    expect(result.report.tables.get('logs')?.written).toBe(rowsOf(source, 'logs'))
  })

  it('the result equals an import of the same rows from SQLite', async () => {
    const same = await sqliteSource({ tables: source.tables })
    const other = makeTarget()
    const { sourceId } = await other.import(same.place, { withLogs: true })
    expect(sourceId).toBe(result.sourceId)
    const expected = await other.open((store) => contents(store, { without: OWN }))
    other.drop()
    await same.drop()
    const found = await target.open((store) => contents(store, { without: OWN }))
    expect(differences(expected, found)).toEqual([])
  })

  it('a second import changes nothing', async () => {
    const before = await target.open(contents)
    const { report } = await target.import(source.place, { withLogs: true })
    expect(report.hasWritten).toBe(false)
    expect(differences(before, await target.open(contents))).toEqual([])
  })
})
