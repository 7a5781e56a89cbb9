import { join } from 'node:path'
import { HEADER_BYTES, type JournalHeader, newHeader, writeHeader } from './file-header.ts'
import { FrameBuffer } from './frame-buffer.ts'
import type { JournalFs } from './journal-fs.ts'
import type { JournalLine } from './line.ts'
import type { JournalReserve } from './reserve.ts'
import { fileIdOf, fileNameOf } from './names.ts'
import type { LinePlace } from './record.ts'

export interface JournalFileOptions extends Pick<
  JournalHeader,
  'databaseId' | 'instanceId' | 'createdMs' | 'continues'
> {
  readonly folder: string
  readonly number: number
  readonly fs: JournalFs
  /** Puts a file of zeros in its place, for a disk without room. */
  readonly reserve?: Pick<JournalReserve, 'takeAs'> | undefined
}

/** A journal file that this process writes. After an error of any method the file must not be written again. */
export class JournalFile {
  readonly fileId: string
  readonly path: string
  /** Bytes written, and bytes forced to the disk. */
  end = 0
  synced = 0
  readonly #options: JournalFileOptions
  readonly #frames = new FrameBuffer(HEADER_BYTES)
  readonly #fd: number
  readonly #folderFd: number
  #isFolderSynced = false
  #isSyncing = false
  #isClosing = false

  /** Creates the file. Nothing is in it before the first `write`. */
  constructor(options: JournalFileOptions) {
    const { folder, instanceId, number, fs, reserve } = options
    this.#options = options
    this.fileId = fileIdOf(instanceId, number)
    this.path = join(folder, fileNameOf(this.fileId))
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    this.#folderFd = fs.openSync(folder, 'r')
    try {
      if (reserve?.takeAs(this.path) === false) throw new NoRoomError('the reserve of the journal is used up')
      this.#fd = fs.openSync(this.path, reserve ? 'r+' : 'wx', 0o600)
    } catch (error) {
      fs.closeSync(this.#folderFd)
      throw error
    }
  }

  get hasBuffered(): boolean {
    return this.#frames.length > 0
  }

  /** Buffers the line and returns the end that it has once it is written. */
  append(line: JournalLine, copyOf?: readonly LinePlace[]): number {
    this.#frames.append(line, copyOf)
    return this.end + this.#frames.length
  }

  /** Writes what is buffered; the first time together with the header. */
  write(): void {
    if (this.end === 0) this.#putHeader()
    const { bytes } = this.#frames
    const written = this.#options.fs.writeSync(this.#fd, bytes, 0, bytes.length, this.end)
    if (written < bytes.length) throw new NoRoomError(`only ${written} of ${bytes.length} bytes were written`)
    this.end += written
    this.#frames.clear()
  }

  discardBuffered(): void {
    this.#frames.clear()
  }

  /** Forces what was written to the disk. To be called again only after it called back. */
  sync(done: (error: Error | null) => void): void {
    const { fs } = this.#options
    const end = this.end
    const finish = (error: Error | null): void => {
      this.#isSyncing = false
      if (error === null) this.synced = end
      if (this.#isClosing) this.#close()
      done(error)
    }
    this.#isSyncing = true
    fs.fdatasync(this.#fd, (error) => {
      if (error !== null || this.#isFolderSynced) return finish(error)
      fs.fsync(this.#folderFd, (folderError) => {
        this.#isFolderSynced = folderError === null
        finish(folderError)
      })
    })
  }

  /** Blocks until everything is on the disk. */
  syncNow(): void {
    const { fs } = this.#options
    fs.fsyncSync(this.#fd)
    fs.fsyncSync(this.#folderFd)
    this.#isFolderSynced = true
    this.synced = this.end
  }

  /** Closes the file, after a running `sync`. */
  close(): void {
    this.#isClosing = true
    if (!this.#isSyncing) this.#close()
  }

  remove(): void {
    this.close()
    this.#options.fs.rmSync(this.path)
  }

  #putHeader(): void {
    const { databaseId, instanceId, createdMs, continues } = this.#options
    const headFrames = this.#frames.sequence - 1
    writeHeader(this.#frames.bytes, newHeader({ databaseId, instanceId, createdMs, continues, headFrames }))
  }

  #close(): void {
    const { fs } = this.#options
    fs.closeSync(this.#fd)
    fs.closeSync(this.#folderFd)
  }
}

/** A write ended early, which is what a disk does before it reports that it is full. */
export class NoRoomError extends Error {
  override readonly name = 'NoRoomError'
  readonly code = 'ENOSPC'
}
