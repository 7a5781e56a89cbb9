import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TargetFolder, makeTarget, spawnCommand } from './support/run.ts'
import { type SourceDatabase, rowsOf, sqliteSource } from './support/source-database.ts'

/** The log row in the third batch at which the first run hangs. */
const STUCK_AT = 510
const COMMITTED = 500

let source: SourceDatabase
let target: TargetFolder
beforeAll(async () => {
  source = await sqliteSource({ isSmall: true })
  target = makeTarget()
  await target.open(async () => undefined)
})
afterAll(async () => {
  target.drop()
  await source.drop()
})

function change(statement: string): void {
  const database = new DatabaseSync(target.sqlitePath)
  database.exec(statement)
  database.close()
}

function countLogs(): number {
  const database = new DatabaseSync(target.sqlitePath, { readOnly: true })
  const counted = database.prepare('select count(*) as logs from logs').get()
  database.close()
  return Number(counted?.['logs'])
}

it('an import killed in the middle of the log resumes there and imports no row twice', async () => {
  const busy =
    'with recursive n(i) as (select 1 union all select i + 1 from n where i < 1e12) select max(i) from n'
  change(
    `create trigger stuck before insert on logs when new.request_id like '%:logs:${STUCK_AT * 2}'
     begin select (${busy}); end`,
  )
  const child = spawnCommand('import', {
    args: ['--from', source.place, '--with-logs'],
    folder: target.folder,
  })
  const gone = new Promise((resolve) => child.once('close', (_code, signal) => resolve(signal)))
  await expect.poll(countLogs, { timeout: 50_000 }).toBe(COMMITTED)
  child.kill('SIGKILL')
  expect(await gone).toBe('SIGKILL')
  change('drop trigger stuck')
  const { audit, report } = await target.import(source.place, { withLogs: true })
  const total = rowsOf(source, 'logs')
  expect(report.tables.get('logs')).toMatchObject({
    read: total,
    known: COMMITTED,
    written: total - COMMITTED,
  })
  expect(audit?.findings).toEqual([])
  const rows = await target.open(({ db }) =>
    db.selectFrom('logs').select(['id', 'request_id']).orderBy('id').execute(),
  )
  expect(new Set(rows.map(({ request_id }) => request_id)).size).toBe(total)
  expect(rows.map(({ id }) => id)).toEqual(source.tables['logs']?.map(({ id }) => id))
})
