import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { openStore } from '@tollgate/store/database/open-store'
import { copyTable } from '@tollgate/store/transfer/copy-table'
import { moveLogs } from '@tollgate/store/logs/move-logs'
import { answeringServers } from '@tollgate/testkit/databases'
import { runImport } from '../../src/commands/import/run-import.ts'
import { makeTarget, cipherKey, silent } from './support/run.ts'
import { type SourceDatabase, sqliteSource } from './support/source-database.ts'

/** Rows that together exceed what a server accepts in one statement (16 MiB in MariaDB). */
const ROWS = 200
const TEXT = randomBytes(75_000).toString('base64')

let source: SourceDatabase
beforeAll(async () => {
  const ids = Array.from({ length: ROWS }, (_, index) => index + 1)
  source = await sqliteSource({
    tables: {
      users: [{ id: 1, username: 'root', password: '', role: 100 }],
      logs: ids.map((id) => ({ id, user_id: 1, created_at: 1_700_000_000, type: 2, content: TEXT })),
      tasks: ids.map((id) => ({ id, user_id: 1, task_id: `t${id}`, data: JSON.stringify({ text: TEXT }) })),
      channels: ids.map((id) => ({ id, type: 1, key: 'sk-x', models: TEXT })),
    },
  })
})
afterAll(() => source.drop())

describe.each(await answeringServers())('large rows into $label', (server) => {
  it('large rows are imported', async () => {
    const database = await server.createDatabase()
    const target = makeTarget()
    const place = { sqlDsn: database.dsn, sqlitePath: join(target.folder, 'tollgate.db'), cipherKey }
    const { report, audit } = await runImport({
      from: source.place,
      withLogs: true,
      isDryRun: false,
      progress: silent,
      place,
    })
    expect(audit?.findings).toEqual([])
    for (const table of ['logs', 'tasks', 'channels'])
      expect(report.tables.get(table)).toMatchObject({ written: ROWS })
    target.drop()
    await database.drop()
  })

  it('large rows are copied, and moved to the database of the usage log', async () => {
    const embedded = makeTarget()
    await embedded.import(source.place, { withLogs: true })
    const database = await server.createDatabase()
    const store = await openStore({ dsn: database.dsn })
    await embedded.open(async ({ db }) => {
      const table = { name: 'tasks', by: 'id', isGrouped: false, rowsAtOnce: ROWS } as const
      await copyTable({ from: db, to: store.db, table, onRows: () => undefined })
      while ((await moveLogs(db, store.db)) > 0);
    })
    for (const table of ['tasks', 'logs'] as const)
      expect(await store.db.selectFrom(table).select('id').execute()).toHaveLength(ROWS)
    await store.close()
    await database.drop()
    embedded.drop()
  })
})
