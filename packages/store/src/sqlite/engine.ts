import type { DatabaseSync } from 'node:sqlite'
import { StoreError, StoreOpenError } from '../database/errors.ts'
import { type BeforeStatement, SqliteConnection, type QueryAnswer } from './connection.ts'
import { lockFile, type FileLock } from './lock.ts'
import { recognizeFullDisk } from './spare-room.ts'
import { openForReading, openForWriting, prepareFile } from './open-database.ts'

/**
 * Functions that a module runs beside the connection. They take and return text, which is cheap to send
 * between threads.
 */
export type RemoteFunctions = Readonly<Record<string, RemoteFunction>>
export type RemoteFunction = (payload: Payload) => string
/** One text, or a list of texts, which saves joining and splitting them. */
export type Payload = string | readonly string[]

export interface RemoteModule {
  register(connection: SqliteConnection): RemoteFunctions
}

export type EngineRequest =
  | { readonly type: 'query'; readonly sql: string; readonly parameters: readonly unknown[] }
  | { readonly type: 'load'; readonly url: string }
  | { readonly type: 'call'; readonly name: string; readonly payload: Payload }
  | { readonly type: 'close' }
export type EngineAnswer = QueryAnswer | string | undefined

export interface EngineOptions {
  readonly path: string
  /** A `background` engine reads with low priority, for work that no request waits for. */
  readonly role: 'writer' | 'reader' | 'background'
}

/** What tests can change in an engine in their own thread. */
export interface InlineOptions {
  /** Called before every statement and can make it fail. */
  readonly before?: BeforeStatement
  /** Content of a new database in memory: the bytes of a database file. */
  readonly image?: Uint8Array
}

/**
 * One connection and the functions loaded beside it, run in a thread, or in process for `:memory:`. After an
 * I/O error the writer rejects every request, because the state of the file is certain only after the
 * recovery of the next start.
 */
export class Engine {
  readonly #connection: SqliteConnection
  readonly #lock: FileLock | undefined
  readonly #functions = new Map<string, RemoteFunction>()
  readonly #path: string
  #failure: StoreError | undefined

  constructor({ path, role }: EngineOptions, { before, image }: InlineOptions = {}) {
    const { database, lock } = role === 'writer' ? openLocked(path, image) : openReader(path)
    this.#connection = new SqliteConnection(database, before)
    this.#lock = lock
    this.#path = path
  }

  async handle(request: EngineRequest): Promise<EngineAnswer> {
    return request.type === 'load' ? this.#load(request.url) : this.handleNow(request)
  }

  handleNow(request: Exclude<EngineRequest, { type: 'load' }>): EngineAnswer {
    if (request.type === 'close') return this.#close()
    if (this.#failure) throw this.#failure
    try {
      return request.type === 'query'
        ? this.#connection.query(request.sql, request.parameters)
        : this.#function(request.name)(request.payload)
    } catch (cause) {
      const error = recognizeFullDisk(cause, this.#path)
      if (error instanceof StoreError && error.kind === 'fatal') this.#failure = error
      throw error
    }
  }

  #function(name: string): RemoteFunction {
    const found = this.#functions.get(name)
    if (!found) throw new StoreError('bug', `no function ${name} is loaded beside this connection`)
    return found
  }

  async #load(url: string): Promise<undefined> {
    const module = asRemoteModule(await import(url), url)
    for (const [name, run] of Object.entries(module.register(this.#connection)))
      this.#functions.set(name, run)
  }

  #close(): undefined {
    this.#connection.close()
    this.#lock?.release()
  }
}

interface Opened {
  readonly database: DatabaseSync
  readonly lock: FileLock | undefined
}

function openLocked(path: string, image: Uint8Array | undefined): Opened {
  if (path === ':memory:') return { database: openForWriting(path, image), lock: undefined }
  prepareFile(path)
  const lock = lockFile(path)
  try {
    return { database: openForWriting(path), lock }
  } catch (error) {
    lock.release()
    throw error
  }
}

function openReader(path: string): Opened {
  try {
    return { database: openForReading(path), lock: undefined }
  } catch (cause) {
    throw new StoreOpenError('not_reachable', `The database ${path} cannot be opened for reading.`, { cause })
  }
}

function asRemoteModule(loaded: unknown, url: string): RemoteModule {
  if (isRemoteModule(loaded)) return loaded
  throw new StoreError('bug', `${url} does not export register(connection)`)
}

function isRemoteModule(loaded: unknown): loaded is RemoteModule {
  return (
    typeof loaded === 'object' && loaded !== null && typeof Reflect.get(loaded, 'register') === 'function'
  )
}
