import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'

/** Codes of the system for a disk, or the share of a user on it, that has no room left. */
const NO_ROOM: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT'])
const PIECE = Buffer.alloc(1024 * 1024)
const SPARE_BYTES_MAX = 16 * 1024 * 1024
/** A small disk keeps this part of it. */
const SPARE_PART = 32

/** Whether a file operation failed because there is no room. */
export function isNoRoom(error: unknown): boolean {
  return error instanceof Error && 'code' in error && NO_ROOM.has(String(error.code))
}

export interface DiskSpace {
  /** Room for what this user writes. A quota may leave less of it. */
  readonly freeBytes: number
  readonly sizeBytes: number
}

/** Room on the disk of this folder; `undefined` where the system does not tell. */
export function readDiskSpace(folder: string): DiskSpace | undefined {
  try {
    const { bsize, bavail, blocks } = statfsSync(folder)
    return { freeBytes: bsize * bavail, sizeBytes: bsize * blocks }
  } catch {
    return undefined
  }
}

/** How much is set aside in this folder for a full disk: 16 MiB, or less on a disk below 512 MiB. */
export function spareBytesIn(folder: string): number {
  const { sizeBytes } = readDiskSpace(folder) ?? { sizeBytes: Infinity }
  return Math.min(SPARE_BYTES_MAX, Math.max(PIECE.length, Math.floor(sizeBytes / SPARE_PART)))
}

/** Writes a file of zeros. Holes would need room later, when they are written. */
export function fillFile(path: string, bytes: number): void {
  const descriptor = openSync(path, 'w', 0o600)
  try {
    for (let written = 0; written < bytes;)
      written += writeSync(descriptor, PIECE, 0, Math.min(PIECE.length, bytes - written), written)
  } finally {
    closeSync(descriptor)
  }
}

/** Sets a file of this size aside, and leaves nothing behind where it does not fit. */
export function writeSpare(path: string, bytes: number): boolean {
  const { freeBytes } = readDiskSpace(dirname(path)) ?? { freeBytes: Infinity }
  if (freeBytes < bytes) return false
  try {
    fillFile(path, bytes)
    return true
  } catch {
    rmSync(path, { force: true })
    return false
  }
}

/** Whether a mebibyte can be written in this folder. False only if there is no room. */
export function hasRoomIn(folder: string): boolean {
  const probe = join(folder, `.room-${process.pid}`)
  try {
    fillFile(probe, PIECE.length)
    return true
  } catch (error) {
    return !isNoRoom(error)
  } finally {
    rmSync(probe, { force: true })
  }
}
