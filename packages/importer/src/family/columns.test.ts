import { describe, expect, it } from 'vitest'
import { collectClaims } from '../claims.ts'
import { mapChannel } from '../map-channel.ts'
import { mapCode } from '../map-code.ts'
import { mapLog } from '../map-log.ts'
import { mapOrder } from '../map-order.ts'
import { mapPlan } from '../map-plan.ts'
import { mapDrawing, mapTask } from '../map-task.ts'
import { mapToken } from '../map-token.ts'
import { sumUsageHours } from '../map-usage-hour.ts'
import { mapUser } from '../map-user.ts'
import type { Source, SourceRow } from '../source.ts'
import { familyColumns, listFamilyColumns } from './columns.ts'

/** Maps a row whose every column is read through a proxy, and returns the names of the columns that were read. */
async function readColumns(map: (row: SourceRow) => unknown): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  const row = new Proxy<SourceRow>(
    {},
    {
      get: (_target, name) => {
        names.add(String(name))
        return undefined
      },
      ownKeys: () => [],
    },
  )
  await map(row)
  return names
}

const emptySource: Source = {
  name: 'a test',
  tables: new Map(),
  count: async () => 0,
  largestId: async () => 0,
  countBy: async () => new Map(),
  columnFacts: () => new Map(),
  countFilled: async () => new Map(),
  pages: async function* () {
    yield []
  },
  close: async () => undefined,
}

const mappers: readonly (readonly [string, (row: SourceRow) => unknown])[] = [
  ['users', async (row) => mapUser(row, { claims: await collectClaims(emptySource), nowMs: 0 })],
  ['tokens', (row) => mapToken(row, { nowMs: 0 })],
  ['channels', (row) => mapChannel(row, { isOneApi: false })],
  ['redemptions', (row) => mapCode(row, { nowMs: 0 })],
  ['top_ups', (row) => mapOrder(row, { quotaPerUnit: 1 })],
  ['tasks', (row) => mapTask(row)],
  ['midjourneys', (row) => mapDrawing(row)],
  ['quota_data', (row) => sumUsageHours([row])],
  ['logs', (row) => mapLog(row, { sourceId: 's', knowsCheckIns: false })],
  ['user_subscriptions', (row) => mapPlan(row, { nowMs: 0 })],
]

/** Read before the rows are mapped, or only for one of the families. */
const ELSEWHERE = new Set([
  'quota_data.id',
  'tasks.id',
  'midjourneys.id',
  'channels.config',
  'channels.system_prompt',
  'channels.openai_organization',
])

describe('the list of the family’s columns', () => {
  it.each(mappers)('says of %s what its mapper reads', async (table, map) => {
    const read = await readColumns(map)
    const known = listFamilyColumns(table)
    const kept = [...known.values()].filter(({ fate, column }) => fate === 'kept' && !column.includes('.'))
    const missing = kept.filter(({ column }) => !read.has(column) && !ELSEWHERE.has(`${table}.${column}`))
    expect(missing.map(({ column }) => column)).toEqual([])
    expect([...read].filter((column) => !known.has(column))).toEqual([])
  })

  it('names each column once, with a source, and each loss that matters with its consequence', () => {
    const names = familyColumns.map(({ table, column }) => `${table}.${column}`)
    expect(names).toHaveLength(new Set(names).size)
    const silent = familyColumns.filter(
      ({ fate, weight, consequence }) => fate === 'lost' && weight !== undefined && consequence === '',
    )
    expect(silent).toEqual([])
    expect(familyColumns.filter(({ source }) => !source.address.startsWith('https://'))).toEqual([])
    expect(familyColumns.length).toBeGreaterThan(200)
  })
})
