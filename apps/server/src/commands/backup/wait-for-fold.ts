import { setTimeout as sleep } from 'node:timers/promises'
import { type JournalProgress, journalProgress } from '@tollgate/ledger/journal-progress'
import { openView } from '@tollgate/store/database/open-view'
import { journalFolderOf } from '../../app/journal-folder.ts'

const WAIT_MS = 5_000
const POLL_MS = 100

/**
 * Waits until the charges that the gateway has written to its journal so far are in the database; it folds them
 * several times a second. Resolves to false if they are not after five seconds, because no gateway is running.
 */
export async function waitForFold(sqlitePath: string): Promise<boolean> {
  const written = new Map((await progressOf(sqlitePath)).map(({ path, end }) => [path, end]))
  const until = performance.now() + WAIT_MS
  for (;;) {
    const now = await progressOf(sqlitePath)
    if (now.every(({ path, position }) => position >= (written.get(path) ?? 0))) return true
    if (performance.now() >= until) return false
    await sleep(POLL_MS)
  }
}

/** A view does not show what is folded after it was opened, so each look opens one. */
async function progressOf(sqlitePath: string): Promise<readonly JournalProgress[]> {
  const view = await openView({ sqlitePath })
  try {
    return await journalProgress(view.db, journalFolderOf(sqlitePath))
  } finally {
    await view.close()
  }
}
