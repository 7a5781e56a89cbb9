import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Store } from '@tollgate/store/database/open-store'
import { answeringServers } from '@tollgate/testkit/databases'
import { expect, it } from 'vitest'
import { importInto, listReportLines } from './support/import-into.ts'
import { LITELLM_CONFIG, LITELLM_KEYS, litellmSchema, litellmTables } from './support/litellm-rows.ts'
import { sourceServers, sqliteSource } from './support/source-database.ts'

/** LiteLLM runs on PostgreSQL alone; where no server answers, its tables are made in SQLite. */

const UNITS = 500_000n
/** Stands for a user without a budget. */
const UNLIMITED = 1_000_000_000_000_000n
const servers = await sourceServers()
const targets = await answeringServers()

it(`imports LiteLLM alike into SQLite${targets.map(({ label }) => ` and ${label}`).join('')}`, async () => {
  const make = servers.find(({ label }) => label === 'PostgreSQL')?.make ?? sqliteSource
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-litellm-'))
  const config = join(folder, 'config.yaml')
  writeFileSync(config, LITELLM_CONFIG)
  const source = await make({ schema: litellmSchema, tables: litellmTables })
  const reports = new Map<string, string[]>()
  const contents = new Map<string, unknown>()
  try {
    for (const server of [undefined, ...targets])
      await importInto({
        from: source.place,
        config,
        server,
        look: async (result, store) => {
          const label = server?.label ?? 'SQLite'
          reports.set(label, listReportLines(result))
          contents.set(label, await readContents(store))
          await expectSumsOfSource(store)
        },
      })
  } finally {
    await source.drop()
    rmSync(folder, { recursive: true })
  }
  expect(reports.size).toBe(1 + targets.length)
  for (const label of reports.keys()) {
    expect([label, reports.get(label)]).toEqual([label, reports.get('SQLite')])
    expect([label, contents.get(label)]).toEqual([label, contents.get('SQLite')])
  }
})

async function readContents({ db }: Store) {
  return {
    tokens: await db
      .selectFrom('tokens')
      .select(['id', 'user_id', 'name', 'key_hash', 'status', 'expired_time', 'model_limits'])
      .orderBy('id')
      .execute(),
    channels: await db
      .selectFrom('channels')
      .select(['id', 'type', 'base_url', 'models', 'model_mapping', 'status'])
      .orderBy('id')
      .execute(),
    options: await db.selectFrom('options').select(['key', 'value']).orderBy('key').execute(),
  }
}

/** Spending and budgets of the rows above in this table, in units. */
async function expectSumsOfSource({ db }: Store): Promise<void> {
  const { count } = await db
    .selectFrom('tokens')
    .select(sql<number | string>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  expect(Number(count)).toBe(Object.keys(LITELLM_KEYS).length)
  const users = await db
    .selectFrom('account')
    .innerJoin('users', 'users.id', 'account.owner_id')
    .where('kind', '=', 'user')
    .select(['username', 'remaining', 'used'])
    .execute()
  const balances = new Map(users.map(({ username, remaining, used }) => [username, [remaining, used]]))
  expect(balances.get('ann@example.com')).toEqual([(UNITS * 75n) / 10n, (UNITS * 25n) / 10n])
  expect(balances.get('bob')).toEqual([UNLIMITED, UNITS])
  expect(balances.get('team blue')).toEqual([0n, 4n * UNITS])
}
