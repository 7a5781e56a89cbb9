import { readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { hasRoomIn, writeSpare } from '@tollgate/kit/disk-room'

const NAME = /^(\d+)\.(\d*)-\d+\.reserve$/

interface ReserveOwner {
  readonly pid: number
  readonly began: string
}

/** The processes that keep reserves in one folder; see `process-identity.ts`. */
export interface ReserveProcesses {
  readonly own: ReserveOwner
  isAnotherAlive(process: ReserveOwner): boolean
}

/** How much of a reserve each call in flight may need for its remaining lines. */
export const RESERVE_BYTES_PER_CALL = 4 * 1024

/**
 * Files of zeros in the folder of the journal. When the disk is full, they become the next files of the journal, so that
 * calls that were admitted are charged. A reader takes the zeros behind the last line for the end of the file.
 */
export class JournalReserve {
  readonly #folder: string
  readonly #fileBytes: number
  readonly #processes: ReserveProcesses
  readonly #files: string[] = []
  #number = 0
  /** Number of files that the calls in flight need. */
  #needed = 1

  constructor(folder: string, fileBytes: number, processes: ReserveProcesses) {
    this.#folder = folder
    this.#fileBytes = fileBytes
    this.#processes = processes
  }

  /** Size of a file; 0 when nothing is set aside. */
  get bytes(): number {
    return this.#fileBytes
  }

  /** Whether everything that the calls in flight may need is set aside. */
  get isKept(): boolean {
    return this.#fileBytes === 0 || this.#files.length >= this.#needed
  }

  /** Sets more aside for this number of calls, if what there is does not suffice. */
  cover(calls: number): boolean {
    if (this.#fileBytes === 0) return true
    const needed = Math.ceil((calls * RESERVE_BYTES_PER_CALL) / this.#fileBytes)
    if (needed <= this.#needed) return this.isKept
    this.#needed = needed
    return this.refill()
  }

  /** Takes over what processes that have ended left behind. */
  adopt(): void {
    if (this.#fileBytes === 0) return
    for (const name of namesIn(this.#folder)) {
      const [, pid, began] = NAME.exec(name) ?? []
      if (
        pid === undefined ||
        began === undefined ||
        this.#processes.isAnotherAlive({ pid: Number(pid), began })
      )
        continue
      const path = this.#nextPath()
      try {
        renameSync(join(this.#folder, name), path)
      } catch {
        // Another process took it.
        continue
      }
      if (statSync(path).size >= this.#fileBytes) this.#files.push(path)
      else rmSync(path, { force: true })
    }
  }

  /** Sets aside what is missing. Returns false when the disk has no room for it, or none beyond it. */
  refill(): boolean {
    while (this.#fileBytes > 0 && this.#files.length < this.#needed) {
      const path = this.#nextPath()
      if (!writeSpare(path, this.#fileBytes)) return false
      this.#files.push(path)
    }
    return hasRoomIn(this.#folder)
  }

  /** A file of the reserve gets this name. Returns false if there is none. */
  takeAs(path: string): boolean {
    const file = this.#files.pop()
    if (file === undefined) return false
    renameSync(file, path)
    return true
  }

  close(): void {
    for (const path of this.#files.splice(0)) rmSync(path, { force: true })
  }

  #nextPath(): string {
    const { pid, began } = this.#processes.own
    return join(this.#folder, `${pid}.${began}-${++this.#number}.reserve`)
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
