import { rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { DatabaseSync, backup } from 'node:sqlite'
import { CommandError } from '../command.ts'
import type { Progress } from '../progress.ts'

export interface DatabaseCopy {
  readonly from: string
  readonly to: string
  readonly progress: Progress
}

const PAGES_AT_ONCE = 1_000
const OWNER_ONLY = 0o600

/** Copies a SQLite database that may be in use into one file without a journal, and checks every page. */
export async function copyDatabase(copy: DatabaseCopy): Promise<void> {
  await copyPages(copy)
  checkCopy(copy.to)
}

export function removeDraft(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true })
}

/** A read transaction fixes the snapshot, so that writes made meanwhile do not restart the copy. */
async function copyPages({ from, to, progress }: DatabaseCopy): Promise<void> {
  const source = new DatabaseSync(from, { readOnly: true, timeout: 2_000 })
  try {
    writeFileSync(to, '', { mode: OWNER_ONLY })
    source.exec('begin; select count(*) from sqlite_schema')
    let done = 0
    progress.start('pages', 0)
    await backup(source, to, {
      rate: PAGES_AT_ONCE,
      progress: ({ totalPages, remainingPages }) => {
        if (done === 0) progress.start('pages', totalPages)
        progress.advance(totalPages - remainingPages - done)
        done = totalPages - remainingPages
      },
    })
    progress.end()
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new CommandError(`${to} cannot be written: ${why}`, { cause })
  } finally {
    source.close()
  }
}

/** Turns the copy into a single file without a journal and reads every page once to check it. */
function checkCopy(path: string): void {
  const database = new DatabaseSync(path)
  try {
    database.exec('pragma journal_mode = delete')
    const verdict = Object.values(database.prepare('pragma quick_check(1)').get() ?? {})[0]
    if (verdict !== 'ok')
      throw new CommandError(`The copy is damaged (${String(verdict)}), and so may be the database.`)
  } finally {
    database.close()
  }
}

/** Resolves once the file is on disk. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+')
  await file.sync()
  await file.close()
}
