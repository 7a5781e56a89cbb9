import { answeringServers } from '@tollgate/testkit/databases'
import { describe, expect, test } from 'vitest'
import { findPgBouncer, startPgBouncer } from './pgbouncer.ts'
import { readRefusal, runPooledNodes } from './pooled-nodes.ts'

/** PostgreSQL behind PgBouncer. `npm run test:deploy` has the long run. */

const CALLS = 1_000
const postgres = (await answeringServers()).find(({ label }) => label === 'PostgreSQL')

describe.skipIf(!postgres || findPgBouncer() === undefined)('behind a pooler for transactions', () => {
  test(`two nodes start at once, serve ${CALLS} calls, and the books balance after a kill`, async () => {
    if (!postgres) return
    const { answered, cut, charged } = await runPooledNodes(postgres, CALLS)
    process.stdout.write(`${answered} calls answered, ${cut} cut off, ${charged} charged\n`)
    expect(answered).toBeGreaterThan(CALLS * 0.9)
  }, 240_000)

  test('a start that was not told of it is refused with what to set', async () => {
    if (!postgres) return
    const database = await postgres.createMigrated()
    const pooler = await startPgBouncer(database.dsn, 'transaction')
    const printed = await readRefusal({ SQL_DSN: pooler.dsn })
    await pooler.stop()
    await database.drop()
    expect(printed.trim().split('\n')).toEqual([
      'Tollgate cannot start.',
      expect.stringMatching(/pooler .* set SQL_POOLER=transaction, and SQL_DIRECT_DSN/),
    ])
  }, 60_000)
})
