import { answeringServers } from '@tollgate/testkit/databases'
import { expect, test } from 'vitest'
import { findPgBouncer } from '../nodes/pgbouncer.ts'
import { runPooledNodes } from '../nodes/pooled-nodes.ts'

const CALLS = 20_000
const postgres = (await answeringServers()).find(({ label }) => label === 'PostgreSQL')

test.skipIf(!postgres || findPgBouncer() === undefined)(
  `two nodes behind Debian's PgBouncer serve ${CALLS} calls, and the books balance after a kill`,
  async () => {
    if (!postgres) return
    const { answered, cut, charged } = await runPooledNodes(postgres, CALLS)
    process.stdout.write(`PgBouncer: ${answered} calls answered, ${cut} cut off, ${charged} charged\n`)
    expect(answered).toBeGreaterThan(CALLS - 50)
  },
  600_000,
)
