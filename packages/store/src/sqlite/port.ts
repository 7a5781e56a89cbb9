import { StoreError } from '../database/errors.ts'
import type { QueryAnswer } from './connection.ts'
import type { EngineAnswer, EngineRequest, Payload } from './engine.ts'
import type { SqlPort, WriteSession } from './kysely-dialect.ts'
import type { EngineHost } from './host.ts'
import { WriterGate } from './writer-gate.ts'

/** An interactive transaction delays every charge; a normal one takes a few milliseconds. */
const TRANSACTION_LIMIT_MS = 5_000

export interface Reads {
  send(request: EngineRequest): Promise<EngineAnswer>
}

/** The writer behind its gate, and the readers. `:memory:` has only one connection, which serves both. */
export class SqlitePort implements SqlPort {
  readonly #writer: EngineHost
  readonly #readers: Reads | undefined
  readonly #gate = new WriterGate()
  readonly #limitMs: number

  constructor(writer: EngineHost, readers: Reads | undefined, limitMs = TRANSACTION_LIMIT_MS) {
    this.#writer = writer
    this.#readers = readers
    this.#limitMs = limitMs
  }

  async read(sql: string, parameters: readonly unknown[]): Promise<QueryAnswer> {
    if (!this.#readers) return this.write(sql, parameters)
    return asQueryAnswer(await this.#readers.send({ type: 'query', sql, parameters }))
  }

  async write(sql: string, parameters: readonly unknown[]): Promise<QueryAnswer> {
    return asQueryAnswer(await this.#gate.pass(() => this.#sendAgain({ type: 'query', sql, parameters })))
  }

  /** Calls a function that is loaded beside the writing connection. */
  async call(name: string, payload: Payload): Promise<string> {
    return asText(await this.#gate.pass(() => this.#sendAgain({ type: 'call', name, payload })))
  }

  /** What found no room changed nothing, and spare room was given up for it. */
  #sendAgain(request: EngineRequest): Promise<EngineAnswer> {
    return this.#writer.send(request).catch((error: unknown) => {
      if (error instanceof StoreError && error.kind === 'full') return this.#writer.send(request)
      throw error
    })
  }

  async begin(): Promise<WriteSession> {
    const release = await this.#gate.hold()
    try {
      await this.#writer.send({ type: 'query', sql: 'begin immediate', parameters: [] })
    } catch (error) {
      release()
      throw error
    }
    return new Session({ writer: this.#writer, release, limitMs: this.#limitMs })
  }

  async close(): Promise<void> {
    await this.#gate.pass(() => this.#writer.send({ type: 'close' }))
  }
}

interface SessionOptions {
  readonly writer: EngineHost
  readonly release: () => void
  readonly limitMs: number
}

class Session implements WriteSession {
  readonly #writer: EngineHost
  readonly #release: () => void
  readonly #limitMs: number
  readonly #timer: NodeJS.Timeout
  #isOver = false
  #isExpired = false

  constructor({ writer, release, limitMs }: SessionOptions) {
    this.#writer = writer
    this.#release = release
    this.#limitMs = limitMs
    this.#timer = setTimeout(() => this.#expire(), limitMs)
  }

  async write(sql: string, parameters: readonly unknown[]): Promise<QueryAnswer> {
    this.#refuseExpired()
    if (this.#isOver) throw new StoreError('bug', 'the transaction has ended')
    return asQueryAnswer(await this.#writer.send({ type: 'query', sql, parameters }))
  }

  async commit(): Promise<void> {
    this.#refuseExpired()
    await this.#finish(async () => {
      await this.#send('commit').catch(async (error: unknown) => {
        await this.#send('rollback').catch(() => undefined)
        throw error
      })
    })
  }

  async rollback(): Promise<void> {
    if (!this.#isExpired) await this.#finish(() => this.#send('rollback'))
  }

  async #finish(last: () => Promise<void>): Promise<void> {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    await last().finally(this.#release)
  }

  async #send(sql: 'commit' | 'rollback'): Promise<void> {
    await this.#writer.send({ type: 'query', sql, parameters: [] })
  }

  #refuseExpired(): void {
    if (!this.#isExpired) return
    const why = 'no other work, and no query outside of it, belongs inside'
    throw new StoreError('bug', `a transaction open for ${this.#limitMs} ms was rolled back: ${why}`)
  }

  #expire(): void {
    this.#isExpired = true
    // A rollback fails only if the connection is broken, and then its next user gets the error.
    this.#finish(() => this.#send('rollback')).catch(() => undefined)
  }
}

export function asText(answer: EngineAnswer): string {
  if (typeof answer === 'string') return answer
  throw new StoreError('bug', 'a function answers with text')
}

export function asQueryAnswer(answer: EngineAnswer): QueryAnswer {
  if (typeof answer === 'object') return answer
  throw new StoreError('bug', 'a query answers with rows')
}
