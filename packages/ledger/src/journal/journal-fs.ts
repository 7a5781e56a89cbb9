import * as fs from 'node:fs'

type Callback = (error: NodeJS.ErrnoException | null) => void

/** The file operations of the writer, so that tests can make each of them fail. */
export interface JournalFs {
  mkdirSync(path: string, options: { recursive: true; mode: number }): unknown
  openSync(path: string, flags: string, mode?: number): number
  writeSync(fd: number, bytes: Uint8Array, offset: number, length: number, position: number): number
  fdatasync(fd: number, callback: Callback): void
  fsync(fd: number, callback: Callback): void
  fsyncSync(fd: number): void
  closeSync(fd: number): void
  rmSync(path: string): void
}

export const nodeFs: JournalFs = fs
