import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Spread, spreadOf } from './spread.ts'

const FLUSHES = 500
const PAGE = Buffer.alloc(4_096, 0x5a)

/**
 * The lower bound of a commit: appends a page to a file and forces it to the disk that holds the measured
 * file.
 */
export async function measureFlush(): Promise<Spread> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-bench-flush-'))
  const file = await open(join(folder, 'log'), 'a')
  const times: number[] = []
  for (let flush = 0; flush < FLUSHES; flush++) {
    const beforeMs = performance.now()
    await file.write(PAGE)
    await file.datasync()
    times.push(performance.now() - beforeMs)
  }
  await file.close()
  await rm(folder, { recursive: true })
  return spreadOf(times)
}
