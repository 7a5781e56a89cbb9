import { setTimeout as sleep } from 'node:timers/promises'
import { StoreOpenError } from '../database/errors.ts'
import { nameOf } from './address.ts'
import type { ServerConnection } from './connection.ts'
import type { ServerEngine } from './engine.ts'

/** A migration over millions of rows takes minutes. */
const WAIT_MS_MAX = 600_000
const ASK_AGAIN_MS = 100

/**
 * Lets one node at a time check and migrate the schema. The other nodes wait and then find nothing left to
 * do. The lock ends with the connection, even when the process dies.
 */
export async function lockMigrations(engine: ServerEngine, connection: ServerConnection): Promise<void> {
  for (let waitedMs = 0; waitedMs < WAIT_MS_MAX; waitedMs += ASK_AGAIN_MS) {
    if (await engine.tryLock(connection)) return
    await sleep(ASK_AGAIN_MS)
  }
  const minutes = WAIT_MS_MAX / 60_000
  throw new StoreOpenError(
    'in_use',
    `Another process has been changing the tables of the ${nameOf(engine.address)} for ${minutes} minutes.`,
  )
}
