import { CHANNEL_STATUS } from '@tollgate/kit/codes'
import { channelKeyHash } from '@tollgate/store/channels/keys'
import type { Store } from '@tollgate/store/database/open-store'
import { answeringServers } from '@tollgate/testkit/databases'
import { describe, expect, it } from 'vitest'
import { fitRows, makeRows } from './support/family-rows.ts'
import { RELEASES, type Release, isIn, makeSchema } from './support/family-schema.ts'
import { importInto, listReportLines } from './support/import-into.ts'
import { sourceServers, sqliteSource } from './support/source-database.ts'

/** Databases of each release, made from the list of columns, from every engine into every engine. */

const sourceMakers = [
  { label: 'SQLite', make: sqliteSource },
  ...(await sourceServers()).map(({ label, make }) => ({ label, make })),
]
const targetServers = await answeringServers()
/** The short form leaves out imports from one server into another. */
const isLong = process.env['TOLLGATE_FAULTS'] === 'long'

it('prints the engines that are compared', () => {
  console.log(
    `from ${sourceMakers.map(({ label }) => label).join(', ')} into SQLite and ${targetServers.map(({ label }) => label).join(', ')}`,
  )
  expect(sourceMakers.length).toBeGreaterThan(0)
})

describe.each(RELEASES)('a database of %s', (release) => {
  it('imports alike from every engine into every engine', async () => {
    const schema = makeSchema(release)
    const tables = fitRows(await makeRows(release), schema)
    const reports = new Map<string, string[]>()
    for (const { label: from, make } of sourceMakers) {
      const source = await make({ schema, tables })
      const targets = isLong || from === 'SQLite' ? targetServers : []
      for (const target of [undefined, ...targets])
        await importInto({
          from: source.place,
          server: target,
          look: async (result, store) => {
            reports.set(`${from} into ${target?.label ?? 'SQLite'}`, listReportLines(result))
            await expectSameAsSource(release, store)
          },
        })
      await source.drop()
    }
    const [sources, targets] = [sourceMakers.length, 1 + targetServers.length]
    expect(reports.size).toBe(isLong ? sources * targets : sources + targets - 1)
    const [first] = reports.values()
    for (const [pair, report] of reports) expect([pair, report]).toEqual([pair, first])
  })
})

async function expectSameAsSource(release: Release, { db }: Store): Promise<void> {
  const has = (since: Parameters<typeof isIn>[1]): boolean => isIn(release, since)
  const balances = await db.selectFrom('account').select(['kind', 'remaining', 'used']).execute()
  const sumOf = (kind: string): bigint =>
    balances.filter((account) => account.kind === kind).reduce((sum, { remaining }) => sum + remaining, 0n)
  expect(sumOf('user')).toBe(5_000_000n)
  expect(sumOf('token')).toBe(1_200_000n)

  const tokens = await db.selectFrom('tokens').selectAll().orderBy('id').execute()
  expect(tokens.map(({ expired_time }) => expired_time)).toEqual([-1, 1_700_000_001, -1, -1, -1])
  expect(tokens.map(({ status }) => status)).toEqual([1, 1, 2, 1, 4])
  expect(tokens[3]).toMatchObject({
    model_limits_enabled: 1,
    model_limits: 'gpt-4o',
    allow_ips: '203.0.113.7',
  })
  expect(tokens[3]).toMatchObject({
    cross_group_retry: has('2026-04') ? 1 : 0,
    group_order: has('2026-09') ? 'vip,default' : '',
  })

  const codes = await db.selectFrom('redemptions').select(['status', 'valid_until']).orderBy('id').execute()
  expect(codes.map(({ status }) => status)).toEqual([1, 1, 1, 3, 2])
  expect(codes.map(({ valid_until }) => valid_until)).toEqual(
    has('2025-10') ? [0, 1_700_000_001, 1_900_000_000, 0, 1] : [0, 0, 0, 0, 0],
  )

  const keys = await db
    .selectFrom('channel_keys')
    .select(['key_hash', 'status', 'reason'])
    .orderBy('status')
    .execute()
  expect(keys).toEqual(
    has('2025-10')
      ? [
          { key_hash: channelKeyHash(2, 'sk-third-key-0000'), status: CHANNEL_STATUS.disabled, reason: '' },
          {
            key_hash: channelKeyHash(2, 'sk-second-key-000'),
            status: CHANNEL_STATUS.autoDisabled,
            reason: '401 invalid key',
          },
        ]
      : [],
  )
  const channels = await db
    .selectFrom('channels')
    .select(['type', 'status', 'other', 'remark'])
    .orderBy('id')
    .execute()
  expect(channels.map(({ status }) => status)).toEqual([1, 1, 3, 1])
  expect(channels[3]).toMatchObject(release === 'one-api' ? { type: 39, other: 'account-1' } : { type: 37 })
  expect(channels[0]?.remark).toBe(has('2025-10') ? 'my note' : '')

  const orders = await db.selectFrom('top_ups').select(['gateway', 'quota', 'status']).orderBy('id').execute()
  const [epay, elsewhere] = [
    [5_000_000n, 2_500_000n],
    [285_000n, 500_000n, 250_000n],
  ]
  const expected = release === 'one-api' ? [] : has('2025-10') ? [...epay, ...elsewhere] : epay
  expect(orders.map(({ quota }) => quota)).toEqual(expected)
  expect(orders.map(({ gateway }) => gateway)).toEqual(
    ['epay', 'epay', 'stripe', 'creem', 'creem'].slice(0, expected.length),
  )
}
