import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../database/open-store.ts'

test('another thread checkpoints the log of a busy writer, and no log is left after closing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-checkpoints-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const sqlitePath = join(folder, 'busy.db')
  const store = await openStore({ sqlitePath })
  const atFirst = statSync(sqlitePath).size
  await store.db.transaction().execute(async (transaction) => {
    for (let position = 0; position < 600; position++)
      await sql`insert into watermarks values (${`w${position}`}, ${position})`.execute(transaction)
  })
  await expect.poll(() => statSync(sqlitePath).size).toBeGreaterThan(atFirst)
  await store.close()
  expect(existsSync(`${sqlitePath}-wal`)).toBe(false)
})
