import { dirname } from 'node:path'
import { spareBytesIn } from '@tollgate/kit/disk-room'
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
import { prepareFile } from './open-database.ts'
import { SpareRoom } from './spare-room.ts'
import { SpareRoomKeeper } from './spare-room-keeper.ts'
import { watchWriter } from './watched-writer.ts'
import { type Traits, sqliteTraits } from '../database/traits.ts'
import { answers } from '../database/answers.ts'

/** The embedded database. */
export interface EmbeddedStore {
  readonly db: Db
  readonly traits: Traits
  /** False for good once writing has failed; only a new process can write again. */
  readonly isWritable: boolean
  /** True while the room that is set aside for the database is used up, or could not be set aside. */
  readonly isShortOfRoom: boolean
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
  /** Sets room on the disk aside, which people and charges need when it is full; see `spare-room.ts`. */
  readonly keepsRoom?: boolean
  /** For tests only: runs everything in this thread. */
  readonly inline?: InlineOptions
}

export async function openSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  const isMemory = options.sqlitePath === ':memory:'
  const path = options.sqlitePath
  const spare = new SpareRoom(path, isMemory ? 0 : spareBytesFor(options))
  spare.makeWay()
  const started = await (isMemory || options.inline ? startInlineWriter(options) : startBusyWriter(path))
  const onFull = (): void => room.onFull()
  const writer = watchWriter(started.host, { onFatal: options.onFatal, onFull })
  const readers = isMemory ? undefined : new ReaderPool(() => startReader(options))
  const port = new SqlitePort(writer, readers)
  const db = new Kysely<Database>({ dialect: sqliteDialect(port) })
  const load = (url: string): Promise<unknown> => writer.send({ type: 'load', url })
  const room = new SpareRoomKeeper(spare, (sql) => port.write(sql, []))
  const close = async (): Promise<void> => {
    room.close()
    await db.destroy()
    await readers?.close()
    await started.close()
    await port.close()
  }
  try {
    await readers?.open()
    await migrate(db, sqliteTraits, options)
    room.keep()
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
    get isShortOfRoom() {
      return !room.isKept
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

function spareBytesFor({ keepsRoom = false, sqlitePath }: SqliteStoreOptions): number {
  if (!keepsRoom) return 0
  prepareFile(sqlitePath)
  return spareBytesIn(dirname(sqlitePath))
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
