import { dirname } from 'node:path'
import { spareBytesIn } from '@tollgate/kit/disk-room'
import type { CallsOf } from '@tollgate/kit/message-calls'
import { Kysely } from 'kysely'
import { StoreError, fromWireError, toWireError } from '../database/errors.ts'
import type { Database } from '../tables/schema.ts'
import { sqliteTraits } from '../database/traits.ts'
import type { QueryAnswer } from './connection.ts'
import type { Payload } from './engine.ts'
import type { FollowerCalls } from './follower.ts'
import { ReaderPool } from './host-pool.ts'
import { type SqlPort, type WriteSession, sqliteDialect } from './kysely-dialect.ts'
import { type EmbeddedStore, type SqliteStoreOptions, startReader } from './open-sqlite-store.ts'
import { asQueryAnswer } from './port.ts'
import { createRemoteHost } from './remote-host.ts'
import { SpareRoom } from './spare-room.ts'
import { answers } from '../database/answers.ts'

export interface FollowerStoreOptions extends Pick<
  SqliteStoreOptions,
  'sqlitePath' | 'onFatal' | 'keepsRoom'
> {
  /**
   * Calls to the process that owns the file, which serves them with `serveFollower`. Their errors are encoded
   * with {@link storeErrors}.
   */
  readonly calls: CallsOf<FollowerCalls>
}

/** Encoding of store errors between processes. */
export const storeErrors = {
  encode: toWireError,
  decode: (wire: unknown): Error =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- encoded right above, at the other end
    fromWireError(wire as ReturnType<typeof toWireError>),
}

/**
 * Opens the embedded database in a process that does not own the file. It reads the file itself and sends its
 * writes to the owner.
 */
export async function openFollowerStore(options: FollowerStoreOptions): Promise<EmbeddedStore> {
  const readers = new ReaderPool(() => startReader(options))
  await readers.open()
  const spareBytes = options.keepsRoom === true ? spareBytesIn(dirname(options.sqlitePath)) : 0
  const spare = new SpareRoom(options.sqlitePath, spareBytes)
  let isWritable = true
  const ask: Ask = async (name, input) => {
    try {
      return await options.calls.call(name, input)
    } catch (error) {
      if (error instanceof StoreError && error.kind === 'fatal' && isWritable) {
        isWritable = false
        options.onFatal?.(error)
      }
      throw error
    }
  }
  const port = new GuestPort(ask, readers)
  const db = new Kysely<Database>({ dialect: sqliteDialect(port) })
  return {
    db,
    traits: sqliteTraits,
    get isWritable() {
      return isWritable
    },
    isGuest: true,
    get isShortOfRoom() {
      return !spare.isKept
    },
    remote: createRemoteHost({
      port,
      load: (url) => ask('store.load', url),
      startReader: () => startReader(options, 'background'),
    }),
    ping: async () => isWritable && (await answers(db)),
    close: async () => {
      await db.destroy()
      await readers.close()
    },
  }
}

type Ask = CallsOf<FollowerCalls>['call']

class GuestPort implements SqlPort {
  readonly #ask: Ask
  readonly #readers: ReaderPool

  constructor(ask: Ask, readers: ReaderPool) {
    this.#ask = ask
    this.#readers = readers
  }

  async read(sql: string, parameters: readonly unknown[]): Promise<QueryAnswer> {
    return asQueryAnswer(await this.#readers.send({ type: 'query', sql, parameters }))
  }

  write(sql: string, parameters: readonly unknown[]): Promise<QueryAnswer> {
    return this.#ask('store.write', { sql, parameters })
  }

  call(name: string, payload: Payload): Promise<string> {
    return this.#ask('store.call', { name, payload })
  }

  async begin(): Promise<WriteSession> {
    const session = await this.#ask('store.begin', undefined)
    const end = async (how: 'commit' | 'rollback'): Promise<void> => {
      await this.#ask('store.end', { session, how })
    }
    let isOver = false
    return {
      write: async (sql, parameters) => this.#ask('store.write-in', { session, sql, parameters }),
      commit: async () => {
        isOver = true
        await end('commit')
      },
      rollback: async () => {
        if (isOver) return
        isOver = true
        await end('rollback')
      },
    }
  }
}
