import { setTimeout as sleep } from 'node:timers/promises'
import { journalProgress } from '@tollgate/ledger/journal-progress'
import { openView } from '@tollgate/store/database/open-view'
import { journalFolderOf } from '../../app/journal-folder.ts'

const WAIT_MS = 5_000
const POLL_MS = 100

/**
 * Waits until the charges that the gateway has written to its journal so far are in the database; it folds them
 * several times a second. Resolves to false if they are not after five seconds, because no gateway is running.
 */
export async function waitForFold(sqlitePath: string): Promise<boolean> {
  const folder = journalFolderOf(sqlitePath)
  const view = await openView({ sqlitePath })
  try {
    const written = new Map((await journalProgress(view.db, folder)).map(({ path, end }) => [path, end]))
    for (let waitedMs = 0; ; waitedMs += POLL_MS) {
      const now = await journalProgress(view.db, folder)
      if (now.every(({ path, position }) => position >= (written.get(path) ?? 0))) return true
      if (waitedMs >= WAIT_MS) return false
      await sleep(POLL_MS)
    }
  } finally {
    await view.close()
  }
}
