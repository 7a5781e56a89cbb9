// A folder for what tests write. In memory their thousands of small databases and journals need no disk, and the
// suite an eighth less time; kills of processes lose as much there as on a disk.
import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'

const SHARED_MEMORY = '/dev/shm'
/** `f_type` of tmpfs, from the manual page statfs(2). */
const TMPFS = 0x0102_1994
const FREE_BYTES_MIN = 4 * 1024 ** 3
const MEMORY_BYTES_MIN = 8 * 1024 ** 3

/** Runs `work` with the variables that put temporary files into memory, where there is enough of it. */
export async function withScratch(work) {
  const folder = hasRoom() ? mkdtempSync(join(SHARED_MEMORY, 'tollgate-')) : undefined
  try {
    return await work(folder === undefined ? {} : { TMPDIR: folder })
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  }
}

function hasRoom() {
  try {
    const { type, bavail, bsize } = statfsSync(SHARED_MEMORY)
    return type === TMPFS && bavail * bsize >= FREE_BYTES_MIN && freemem() >= MEMORY_BYTES_MIN
  } catch {
    return false
  }
}
