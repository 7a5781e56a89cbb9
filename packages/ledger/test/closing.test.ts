import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@tollgate/kit/clock'
import { openNewStore } from '@tollgate/testkit/new-store'
import { expect, it } from 'vitest'
import { openLedger } from '../src/open-ledger.ts'
import { servers } from './support/nodes.ts'

const places = [
  { label: 'SQLite', createDatabase: undefined },
  ...servers.map(({ label, createDatabase }) => ({ label, createDatabase })),
]

it.each(places)(
  'a ledger over $label that is closed several times closes once',
  async ({ createDatabase }) => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-closing-'))
    const database = await createDatabase?.()
    const sqlitePath = join(folder, 'tollgate.db')
    const store = await openNewStore(database ? { dsn: database.dsn } : { sqlitePath })
    const journal = { folder: join(folder, 'journal') }
    const ledger = await openLedger({ store, clock: systemClock, journal })
    await Promise.all([ledger.close(), ledger.close()])
    await expect(ledger.close()).resolves.toBeUndefined()
    await store.close()
    await database?.drop()
    rmSync(folder, { recursive: true })
  },
)
