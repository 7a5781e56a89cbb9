import { readdirSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ManualClock } from '@tollgate/kit/clock'
import {
  checkpointLine,
  FaultyFs,
  openedLine,
  openWriter,
  releasedLine,
  settledLine,
} from './journal.fixture.ts'
import { readJournal } from './read-journal.ts'

test('written lines are read back at the positions that append returned', async () => {
  const { writer } = openWriter({ clock: new ManualClock(1_000) })
  const lines = [openedLine('a'), checkpointLine('a'), settledLine('a'), openedLine('b', '{"in":2}')]
  const ends = lines.map((line) => writer.append(line))
  writer.write()
  expect(writer.position).toBe(ends.at(-1))
  await writer.close()
  const read = readJournal(writer.path)
  expect(read.lines.map(({ line }) => line)).toEqual(lines)
  expect(read.lines.map(({ end }) => end)).toEqual(ends)
  expect(read).toMatchObject({ gaps: [], end: writer.position })
  expect(read.header).toMatchObject({ databaseId: 'db', instanceId: 'node', createdMs: 1_000 })
})

test('the file is readable by its owner only, and its name has the instance', async () => {
  const { writer, folder } = openWriter()
  await writer.close()
  expect(readdirSync(folder)).toEqual(['node-1.journal'])
  expect(statSync(writer.path).mode & 0o777).toBe(0o600)
})

test('a file that exists is not written', () => {
  const { folder } = openWriter()
  expect(() => openWriter({ folder })).toThrow('EEXIST')
})

test('sync resolves when everything written before is on the disk', async () => {
  const fs = new FaultyFs()
  const { writer } = openWriter({ fs, syncMs: 'always' })
  await writer.sync()
  expect(writer.synced).toBe(writer.position)
  fs.isSyncHeld = true
  writer.append(openedLine('a'))
  writer.write()
  const first = writer.sync()
  writer.append(releasedLine('a'))
  writer.write()
  const second = writer.sync()
  expect(fs.heldSyncs).toHaveLength(1)
  expect(writer.synced).toBeLessThan(writer.position)
  fs.finishSyncs()
  await first
  await second
  expect(writer.synced).toBe(writer.position)
  await writer.close()
})

test('the timer syncs what was written, also when the clock stands still or goes back', async () => {
  const clock = new ManualClock()
  const { writer } = openWriter({ clock, syncMs: 1 })
  for (const jumpMs of [0, -3_600_000, 7_200_000]) {
    clock.advance(jumpMs)
    writer.append(openedLine(`a${jumpMs}`))
    writer.write()
    await expect.poll(() => writer.synced).toBe(writer.position)
  }
  await writer.close()
})
