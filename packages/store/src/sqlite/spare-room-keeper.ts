import type { SpareRoom } from './spare-room.ts'

const CHECK_MS = 1_000
/** Pages of the log after which it is copied into the database: 2 MiB while the disk is full, 32 MiB otherwise. */
const LOG_PAGES_FULL = 500
const LOG_PAGES = 8_000

/** Gives the spare room up when a write found none, and sets it aside again as soon as it fits. */
export class SpareRoomKeeper {
  readonly #spare: SpareRoom
  readonly #write: (sql: string) => Promise<unknown>
  #isKept = true
  #isAsking = false
  #timer: NodeJS.Timeout | undefined

  constructor(spare: SpareRoom, write: (sql: string) => Promise<unknown>) {
    this.#spare = spare
    this.#write = write
  }

  get isKept(): boolean {
    return this.#isKept
  }

  /** To be called once the database is open. */
  keep(): void {
    if (this.#spare.keep()) return
    this.#spare.keepForNextStart()
    this.#wait()
  }

  onFull(): void {
    if (!this.#isKept) return
    this.#spare.release()
    this.#wait()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #wait(): void {
    this.#isKept = false
    this.#timer ??= setInterval(() => void this.#check(), CHECK_MS).unref()
    void this.#write(`pragma wal_autocheckpoint = ${LOG_PAGES_FULL}`).catch(() => undefined)
  }

  /** The log gives its room back first: it may be what took the spare room. */
  async #check(): Promise<void> {
    if (this.#isAsking) return
    this.#isAsking = true
    await this.#write('pragma wal_checkpoint(truncate)').catch(() => undefined)
    this.#isAsking = false
    if (!this.#spare.keep()) return
    this.#isKept = true
    this.close()
    this.#timer = undefined
    await this.#write(`pragma wal_autocheckpoint = ${LOG_PAGES}`).catch(() => undefined)
  }
}
