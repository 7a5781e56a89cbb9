import type { EngineHost } from './host.ts'
import type { EngineAnswer, EngineRequest } from './engine.ts'

const READERS_MAX = 2
/**
 * A second reader is worth its memory only when the first one is busy for long, for example with a search
 * through the logs.
 */
const OCCUPIED_AFTER_MS = 50

interface Reader {
  readonly host: EngineHost
  /** When the reader last changed from idle to busy. */
  busySince: number
}

/** A pool of one reading connection, with a second one while the first is busy with a slow query. */
export class ReaderPool {
  readonly #start: () => Promise<EngineHost>
  readonly #readers: Reader[] = []
  #isStarting = false

  constructor(start: () => Promise<EngineHost>) {
    this.#start = start
  }

  async open(): Promise<void> {
    await this.#add()
  }

  send(request: EngineRequest): Promise<EngineAnswer> {
    const reader = this.#leastBusy()
    if (reader.host.pending === 0) reader.busySince = performance.now()
    else if (performance.now() - reader.busySince > OCCUPIED_AFTER_MS) this.#addInBackground()
    return reader.host.send(request)
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#readers.map((reader) => reader.host.send({ type: 'close' })))
  }

  #leastBusy(): Reader {
    const [first, ...rest] = this.#readers
    if (!first) throw new Error('the reading connections are not open')
    return rest.reduce((best, reader) => (reader.host.pending < best.host.pending ? reader : best), first)
  }

  #addInBackground(): void {
    if (this.#isStarting || this.#readers.length >= READERS_MAX) return
    this.#isStarting = true
    this.#add().then(
      () => (this.#isStarting = false),
      // If the second reader cannot start, the first one continues alone; the next slow query tries again.
      () => (this.#isStarting = false),
    )
  }

  async #add(): Promise<void> {
    this.#readers.push({ host: await this.#start(), busySince: 0 })
  }
}
