import * as fs from 'node:fs'
import { basename, join } from 'node:path'
import type { JournalFs } from '../../src/journal/journal-fs.ts'

interface RecordedFile {
  readonly name: string
  written: number
  /** Bytes that were forced to the disk. */
  synced: number
  /** The folder was forced to the disk since the file was created. */
  isNamed: boolean
}

type Callback = (error: NodeJS.ErrnoException | null) => void

/** The real file system, which notes what was forced to the disk. */
export class RecordingFs implements JournalFs {
  readonly #files = new Map<string, RecordedFile>()
  readonly #open = new Map<number, RecordedFile>()
  /** Holds every sync back while set. */
  isSyncHeld = false
  readonly #held: (() => void)[] = []
  last: RecordedFile | undefined

  mkdirSync(path: string, options: { recursive: true; mode: number }): void {
    fs.mkdirSync(path, options)
  }

  openSync(path: string, flags: string, mode?: number): number {
    const fd = fs.openSync(path, flags, mode)
    if (flags !== 'r') {
      const file = { name: basename(path), written: 0, synced: 0, isNamed: false }
      this.#files.set(path, file)
      this.#open.set(fd, file)
    }
    return fd
  }

  writeSync(fd: number, bytes: Uint8Array, offset: number, length: number, position: number): number {
    const written = fs.writeSync(fd, bytes, offset, length, position)
    const file = this.#open.get(fd)
    if (file) file.written = Math.max(file.written, position + written)
    this.last = file
    return written
  }

  fdatasync(fd: number, callback: Callback): void {
    const file = this.#open.get(fd)
    const run = (): void => {
      const { written = 0 } = file ?? {}
      fs.fdatasync(fd, (error) => {
        if (error === null && file) file.synced = Math.max(file.synced, written)
        callback(error)
      })
    }
    if (this.isSyncHeld) this.#held.push(run)
    else run()
  }

  fsync(fd: number, callback: Callback): void {
    fs.fsync(fd, (error) => {
      if (error === null) this.#nameAll()
      callback(error)
    })
  }

  fsyncSync(fd: number): void {
    fs.fsyncSync(fd)
    const file = this.#open.get(fd)
    if (file) file.synced = file.written
    else this.#nameAll()
  }

  closeSync(fd: number): void {
    this.#open.delete(fd)
    fs.closeSync(fd)
  }

  rmSync(path: string): void {
    fs.rmSync(path)
    this.#files.delete(path)
  }

  /** Bytes forced to the disk, by file name. */
  sizes(): ReadonlyMap<string, number> {
    const named = [...this.#files.values()].filter(({ isNamed }) => isNamed)
    return new Map(named.map(({ name, synced }) => [name, synced]))
  }

  releaseSyncs(): void {
    this.isSyncHeld = false
    for (const run of this.#held.splice(0)) run()
  }

  /**
   * Copies what a power cut leaves: of each file what was forced to the disk and, since the disk may have
   * written more, up to `extra` of the rest.
   */
  copyTo(folder: string, extra: (unsynced: number) => number): void {
    fs.mkdirSync(folder, { recursive: true })
    for (const [path, { name, written, synced, isNamed }] of this.#files) {
      if (!isNamed || !fs.existsSync(path)) continue
      const kept = synced + extra(written - synced)
      fs.writeFileSync(join(folder, name), fs.readFileSync(path).subarray(0, kept))
    }
  }

  #nameAll(): void {
    for (const file of this.#files.values()) file.isNamed = true
  }
}
