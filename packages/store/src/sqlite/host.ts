import { Worker } from 'node:worker_threads'
import { StoreError, fromWireError, toWireError } from '../database/errors.ts'
import {
  Engine,
  type EngineAnswer,
  type EngineOptions,
  type EngineRequest,
  type InlineOptions,
} from './engine.ts'
import type { FromWorker } from './worker.ts'

/** An engine in this thread or another one. Requests are answered in the order in which they were sent. */
export interface EngineHost {
  readonly pending: number
  send(request: EngineRequest): Promise<EngineAnswer>
}

interface Waiting {
  readonly resolve: (answer: EngineAnswer) => void
  readonly reject: (error: Error) => void
}

/** Starts an engine in its own thread. Resolves when its database is open. */
export async function startThread(options: EngineOptions): Promise<EngineHost> {
  const thread = new ThreadHost(options)
  await thread.opened
  return thread
}

class ThreadHost implements EngineHost {
  readonly opened: Promise<EngineAnswer>
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  #lastNumber = 0
  #ended: Error | undefined

  constructor(options: EngineOptions) {
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: options,
      name: `sqlite-${options.role}`,
    })
    this.opened = new Promise((resolve, reject) => this.#waiting.set(0, { resolve, reject }))
    this.#worker.on('message', (message: FromWorker) => this.#settle(message))
    this.#worker.on('error', (error) => this.#end(error))
    this.#worker.on('exit', () => this.#end(new Error('the database thread has ended')))
  }

  get pending(): number {
    return this.#waiting.size
  }

  send(request: EngineRequest): Promise<EngineAnswer> {
    if (this.#ended) return Promise.reject(this.#ended)
    const number = ++this.#lastNumber
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject })
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      this.#worker.postMessage({ ...request, number })
    })
  }

  #settle(message: FromWorker): void {
    const waiting = this.#waiting.get(message.number)
    this.#waiting.delete(message.number)
    if (message.error) waiting?.reject(fromWireError(message.error))
    else waiting?.resolve(message.answer)
  }

  #end(cause: unknown): void {
    this.#ended ??= new StoreError('fatal', `The database thread has ended: ${String(cause)}`, { cause })
    for (const waiting of this.#waiting.values()) waiting.reject(this.#ended)
    this.#waiting.clear()
  }
}

/** Starts an engine in this thread, for `:memory:` and for tests. */
export function startInline(options: EngineOptions, inline?: InlineOptions): EngineHost {
  const engine = new Engine(options, inline)
  let pending = 0
  let last: Promise<unknown> = Promise.resolve()
  return {
    get pending() {
      return pending
    },
    send(request) {
      pending++
      const answer = last.then(() => engine.handle(request)).catch(rethrowFromWire)
      last = answer.then(
        () => pending--,
        () => pending--,
      )
      return answer
    },
  }
}

/** Gives errors the same classes and the same loss of detail as from another thread. */
function rethrowFromWire(error: unknown): never {
  throw fromWireError(toWireError(error))
}
