/**
 * The default packet limit of MariaDB is 16 MiB, and some servers are set to 4 MiB; this stays below both.
 */
const BYTES_MAX = 2 * 1024 * 1024
/** Bytes of an integer, or of the framing around a value. */
const BYTES_OF_OTHERS = 12

/**
 * Splits rows into portions that fit into one statement. MySQL and MariaDB receive a statement with all its
 * values as one packet (`max_allowed_packet`). Each portion has at least one row, so a row that is too large
 * is still sent on its own.
 */
export function batchesBySize<Row extends object>(rows: readonly Row[]): readonly (readonly Row[])[] {
  const all: Row[][] = []
  let room = 0
  for (const row of rows) {
    const bytes = bytesOf(row)
    const last = all.at(-1)
    if (last && bytes <= room) last.push(row)
    else {
      all.push([row])
      room = BYTES_MAX
    }
    room -= bytes
  }
  return all
}

function bytesOf(row: object): number {
  return Object.values(row).reduce<number>((sum, value: unknown) => sum + bytesOfValue(value), 0)
}

function bytesOfValue(value: unknown): number {
  return BYTES_OF_OTHERS + (typeof value === 'string' ? Buffer.byteLength(value) : 0)
}
