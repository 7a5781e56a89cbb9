import { type MessageCalls, callsOf } from '@tollgate/kit/message-calls'
import { Kysely } from 'kysely'
import type { StoreError } from '../database/errors.ts'
import { type MigrateOptions, migrate } from '../database/migrate.ts'
import type { Db, Database } from '../tables/schema.ts'
import { type CheckpointedWriter, withCheckpoints } from './checkpoints.ts'
import { serveFollower } from './follower.ts'
import type { InlineOptions } from './engine.ts'
import { type EngineHost, startInline, startThread } from './host.ts'
import { ReaderPool } from './host-pool.ts'
import { sqliteDialect } from './kysely-dialect.ts'
import { SqlitePort } from './port.ts'
import { type RemoteHost, createRemoteHost } from './remote-host.ts'
import { watchWriter } from './watched-writer.ts'
import { type Traits, sqliteTraits } from '../database/traits.ts'
import { answers } from '../database/answers.ts'

/** The embedded database. */
export interface EmbeddedStore {
  readonly db: Db
  readonly traits: Traits
  /** False for good once writing has failed; only a new process can write again. */
  readonly isWritable: boolean
  /** Runs functions beside the connections, in their threads. Only the ledger uses it. */
  readonly remote: RemoteHost
  /** True when the database responds and can be written. */
  readonly ping: () => Promise<boolean>
  readonly close: () => Promise<void>
  /** True when another process on this machine owns the file and writes for this one. */
  readonly isGuest: boolean
}

/** The embedded database in the process that owns the file, with its own thread for writing. */
export interface SqliteStore extends EmbeddedStore {
  /**
   * Runs the writes of another process on this machine until the returned function is called; see
   * `guest-store.ts`.
   */
  readonly serveFollower: (calls: MessageCalls) => () => Promise<void>
}

export interface SqliteStoreOptions extends MigrateOptions {
  /** Path of a file, which is created when missing, or `:memory:`. */
  readonly sqlitePath: string
  /**
   * Called once when writing has failed. The process must then exit with a code other than zero; the next
   * start recovers.
   */
  readonly onFatal?: (error: StoreError) => void
  /** For tests only: runs everything in this thread. */
  readonly inline?: InlineOptions
}

export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  const isMemory = options.sqlitePath === ':memory:'
  const path = options.sqlitePath
  const started = await (isMemory || options.inline ? startInlineWriter(options) : startBusyWriter(path))
  const writer = watchWriter(started.host, options.onFatal)
  const readers = isMemory ? undefined : new ReaderPool(() => startReader(options))
  const port = new SqlitePort(writer, readers)
  const db = new Kysely<Database>({ dialect: sqliteDialect(port) })
  const load = (url: string): Promise<unknown> => writer.send({ type: 'load', url })
  const close = async (): Promise<void> => {
    await db.destroy()
    await readers?.close()
    await started.close()
    await port.close()
  }
  try {
    await readers?.open()
    await migrate(db, sqliteTraits, options)
  } catch (error) {
    await close()
    throw error
  }
  return {
    db,
    traits: sqliteTraits,
    get isWritable() {
      return writer.isWritable
    },
    remote: createRemoteHost({
      port,
      load,
      startReader: () => (isMemory ? undefined : startReader(options, 'background')),
    }),
    ping: async () => writer.isWritable && (await answers(db)),
    close,
    isGuest: false,
    serveFollower: (calls) => serveFollower({ port, load }, callsOf(calls)),
  }
}

async function startBusyWriter(path: string): Promise<CheckpointedWriter> {
  return withCheckpoints(await startThread({ path, role: 'writer' }), path)
}

async function startInlineWriter(options: SqliteStoreOptions): Promise<CheckpointedWriter> {
  const host = startInline({ path: options.sqlitePath, role: 'writer' }, options.inline)
  return { host, close: async () => undefined }
}

export async function startReader(
  { sqlitePath: path, inline }: SqliteStoreOptions,
  role: 'reader' | 'background' = 'reader',
): Promise<EngineHost> {
  return inline ? startInline({ path, role }) : startThread({ path, role })
}
