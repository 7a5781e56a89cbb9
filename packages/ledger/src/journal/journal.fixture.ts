import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@tollgate/kit/clock'
import { onTestFinished } from 'vitest'
import type { JournalFs } from './journal-fs.ts'
import type { JournalLine } from './line.ts'
import { JournalWriter, type JournalWriterOptions } from './write-journal.ts'

export function openedLine(holdId: string, priceJson = '{"in":1}'): JournalLine {
  return {
    type: 'opened',
    holdId,
    userAccount: 4,
    tokenAccount: 9,
    isTokenFollowed: false,
    budgetSinceMs: undefined,
    amount: 10n,
    ceiling: 20n,
    priceJson,
    createdMs: 1_750_000_000_000,
  }
}

export function checkpointLine(holdId: string, amount = 5n): JournalLine {
  return { type: 'checkpoint', holdId, amount, held: 10n, ceiling: 20n, channelId: 3 }
}

export function releasedLine(holdId: string): JournalLine {
  return { type: 'released', holdId, endedMs: 1_750_000_000_500, log: undefined }
}

export function settledLine(holdId: string, priceJson = '{"in":1}'): JournalLine {
  return {
    type: 'settled',
    holdId,
    userAccount: 4,
    tokenAccount: 9,
    isTokenFollowed: false,
    budgetSinceMs: undefined,
    charged: 7n,
    waived: 0n,
    ceiling: 20n,
    flags: [],
    channelId: 3,
    priceJson,
    usageJson: '{"output":3}',
    endedMs: 1_750_000_000_500,
    log: undefined,
  }
}

/** Removed at the end of the test. */
export function temporaryFolder(): string {
  const folder = fs.mkdtempSync(join(tmpdir(), 'journal-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The failures that were reported are in `failures`. */
export function openWriter(options: Partial<JournalWriterOptions> = {}): {
  writer: JournalWriter
  folder: string
  failures: unknown[]
} {
  const failures: unknown[] = []
  const folder = options.folder ?? temporaryFolder()
  const writer = new JournalWriter({
    folder,
    databaseId: 'db',
    instanceId: 'node',
    clock: systemClock,
    onFailure: (error) => failures.push(error),
    ...options,
  })
  return { writer, folder, failures }
}

/** The real file system, with faults. */
export class FaultyFs implements JournalFs {
  /** Number of bytes that can still be written. */
  room = Infinity
  /** Makes the syncs of files and folders fail. */
  isSyncFailing = false
  /** Holds back the syncs until `finishSyncs`. */
  isSyncHeld = false
  removed = 0
  readonly heldSyncs: ((isFailing?: boolean) => void)[] = []

  mkdirSync(path: string, options: { recursive: true; mode: number }): void {
    fs.mkdirSync(path, options)
  }

  openSync(path: string, flags: string, mode?: number): number {
    return fs.openSync(path, flags, mode)
  }

  writeSync(fd: number, bytes: Uint8Array, offset: number, length: number, position: number): number {
    const possible = Math.min(length, this.room)
    if (possible === 0) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
    this.room -= possible
    return fs.writeSync(fd, bytes, offset, possible, position)
  }

  fdatasync(fd: number, callback: (error: NodeJS.ErrnoException | null) => void): void {
    const run = (isFailing = this.isSyncFailing): void => {
      if (isFailing) callback(ioError())
      else fs.fdatasync(fd, callback)
    }
    if (this.isSyncHeld) this.heldSyncs.push(run)
    else setImmediate(() => run())
  }

  fsync(fd: number, callback: (error: NodeJS.ErrnoException | null) => void): void {
    fs.fsync(fd, callback)
  }

  fsyncSync(fd: number): void {
    if (this.isSyncFailing) throw ioError()
    fs.fsyncSync(fd)
  }

  closeSync(fd: number): void {
    fs.closeSync(fd)
  }

  rmSync(path: string): void {
    this.removed++
    fs.rmSync(path)
  }

  /** Fails the syncs that are held back, and no later ones. */
  failNextSync(): void {
    this.isSyncHeld = false
    for (const run of this.heldSyncs.splice(0)) run(true)
  }

  finishSyncs(): void {
    this.isSyncHeld = false
    for (const run of this.heldSyncs.splice(0)) run()
  }
}

function ioError(): Error {
  return Object.assign(new Error('i/o error'), { code: 'EIO' })
}
