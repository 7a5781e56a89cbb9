import { openHub } from '@tollgate/coordination/hub'
import { systemClock } from '@tollgate/kit/clock'
import { randomToken } from '@tollgate/kit/ids'
import { openCipher } from '@tollgate/kit/cipher'
import type { MessageCalls } from '@tollgate/kit/message-calls'
import { openLedgerOwner } from '@tollgate/ledger/sqlite/owner'
import { isServerDsn } from '@tollgate/store/server/dsn'
import { openSqliteStore } from '@tollgate/store/sqlite/open-sqlite-store'
import type { Logger } from 'pino'
import { journalFolderOf } from '../app/journal-folder.ts'
import { encryptChannels } from '../app/encrypt-channels.ts'
import { moveAlertReceivers } from '../app/move-alert-receivers.ts'
import type { ProcessLog } from '../app/logging.ts'
import { refuseToStart } from '../app/refuse-to-start.ts'
import { requireSameSecret } from '../app/same-secret.ts'
import type { Config } from '../config/index.ts'
import { WorkerPool } from './worker-pool.ts'
import { leaveNow, stopOnBugs, stopOnSignals, stopping } from './stop.ts'

/** Time for the work after the streams have ended: settling calls and closing the database. */
const STOP_MS = 30_000

/**
 * The parent process serves no requests itself. It assigns the port, supervises the workers, keeps their
 * shared state when there is no Redis, and over SQLite executes the database writes of all of them.
 */
export async function runPrimary(config: Config, { log, print }: ProcessLog): Promise<void> {
  const owner = isServerDsn(config.sqlDsn) ? undefined : await openOwner(config, log).catch(refuseToStart)
  const hub = openHub(systemClock)
  const workers = new WorkerPool({
    size: config.workers,
    host: config.host,
    port: config.port,
    log,
    attend: ({ nodeId, calls }) => {
      const leaveHub = hub.serve(calls)
      const leaveStore = owner?.serve(nodeId, calls)
      return async () => {
        leaveHub()
        await leaveStore?.()
      }
    },
  })
  const close = async ({ hurry }: { hurry: Promise<void> }): Promise<void> => {
    void hurry.then(() => workers.hurry())
    await workers.stop(config.drainNoticeMs + 2 * config.drainMs + STOP_MS)
    await owner?.close()
  }
  const stop = stopping({ close }, log)
  stopOnSignals(stop)
  stopOnBugs(stop, log)
  // After the signal handlers are installed, because the first worker serves calls seconds before the last
  // one does.
  log.info({ workers: config.workers }, 'starting the workers')
  const address = await workers.start().catch(refuseToStart)
  if (address === undefined) return
  // Printed last, because a supervisor that reads this line may stop the process at once.
  print(`Tollgate is ready at ${address}`)
}

interface Owner {
  /** Returns a function that cleans up once the worker is gone. */
  serve(nodeId: string, calls: MessageCalls): () => Promise<void>
  close(): Promise<void>
}

async function openOwner({ sqlitePath, keys }: Config, log: Logger): Promise<Owner> {
  const store = await openSqliteStore({
    sqlitePath,
    keepsRoom: true,
    onFatal: (error) => leaveNow(log, error),
  })
  const cipher = openCipher(keys.cipher)
  await requireSameSecret(store.db, cipher)
  await encryptChannels({ db: store.db, cipher, path: sqlitePath, log })
  await moveAlertReceivers({ db: store.db, cipher, log })
  const ledger = await openLedgerOwner({
    store,
    clock: systemClock,
    instanceId: randomToken(12),
    journalFolder: journalFolderOf(sqlitePath),
    onAlarm: (alarm) => log.error({ alarm }, 'the ledger raised an alarm'),
  })
  async function recoverDead(nodeId: string): Promise<void> {
    try {
      const recovered = await ledger.recoverDead(nodeId)
      if (recovered > 0) log.warn({ recovered }, 'settled the calls that a dead worker left open')
    } catch (error) {
      log.error({ error }, 'could not settle the calls of a dead worker; the next start will settle them')
    }
  }

  return {
    serve: (nodeId, calls) => {
      const leave = store.serveFollower(calls)
      return async () => {
        await leave()
        await recoverDead(nodeId)
      }
    },
    close: async () => {
      await ledger.close()
      await store.close()
    },
  }
}
