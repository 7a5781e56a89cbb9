/** MariaDB takes 16 MiB unless it was told otherwise, and some were told 4. */
const BYTES_MAX = 2 * 1024 * 1024
/** An integer and what stands around a value. */
const BYTES_OF_OTHERS = 12

/**
 * Rows in portions that a server takes in one statement: for MySQL and MariaDB a statement with all its values is one packet
 * (`max_allowed_packet`). Each has one row at least, so that a row larger than that still goes alone.
 */
export function portions<Row extends object>(rows: readonly Row[]): readonly (readonly Row[])[] {
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
