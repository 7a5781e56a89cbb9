import process from 'node:process'
import { listNodeFigures } from '@tollgate/store/operations/node-figures'
import { openStore } from '@tollgate/store/database/open-store'
import { expect, test, vi } from 'vitest'
import { noteNodeJob } from './note-node.ts'

test('a process that cannot read its memory reports everything else', async () => {
  const store = await openStore({ sqlitePath: ':memory:' })
  const job = noteNodeJob({
    db: store.db,
    clock: { nowMs: () => 1_000, monotonicMs: () => 0 },
    id: 'a',
    version: '1.0.0',
    dataFolder: '.',
    relay: { inFlight: 2, sockets: 0 },
    ledger: { health: () => ({ queued: 0 }) },
    leadership: { isOurs: true },
    recent: { take: () => ({ calls: 0, failed: 0, durations: new Map() }) },
  })
  const rss = vi.spyOn(process.memoryUsage, 'rss').mockImplementation(() => {
    throw new Error('ENOENT: no such file or directory, uv_resident_set_memory')
  })
  await job.run()
  rss.mockRestore()
  const [row] = await listNodeFigures(store.db, 0)
  expect(JSON.parse(row?.figures ?? '')).toMatchObject({ pid: process.pid, in_flight: 2, memory_bytes: null })
  await store.close()
})
