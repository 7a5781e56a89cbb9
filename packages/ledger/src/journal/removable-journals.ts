import type { JournalFileInfo } from './journal-folder.ts'

/** What the ledger knows about a file and the instance that wrote it. */
export interface JournalState {
  readonly position: number
  readonly instance: 'alive' | 'ended' | 'dead'
}

/** A folded file is kept for a while, in case the database is restored or loses its last transactions. */
const KEEP_MS = 10 * 60_000
const KEEP_BYTES = 256 * 1024 * 1024

/**
 * The files that are folded and have been kept long enough: 10 minutes, or less while all files together have
 * more than 256 MiB or the disk is full, oldest first. The last file of a live instance is never removed.
 */
export function removableJournals(
  files: readonly JournalFileInfo[],
  stateOf: (file: JournalFileInfo) => JournalState,
  { nowMs, isRoomNeeded = false }: { readonly nowMs: number; readonly isRoomNeeded?: boolean },
): readonly JournalFileInfo[] {
  let bytes = files.reduce((sum, { size }) => sum + size, 0)
  const folded = files.filter((file) => isFinished(file, stateOf(file)))
  return folded
    .toSorted((one, other) => one.modifiedMs - other.modifiedMs)
    .filter((file) => {
      if (!isRoomNeeded && bytes <= KEEP_BYTES && nowMs - file.modifiedMs < KEEP_MS) return false
      bytes -= file.size
      return true
    })
}

function isFinished(file: JournalFileInfo, { position, instance }: JournalState): boolean {
  if (file.problem !== undefined && file.problem !== 'damaged_header') return false
  return position >= file.end && (instance !== 'alive' || !file.isLast)
}
