import { cpSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { HEADER_BYTES, newHeader, writeHeader } from './file-header.ts'
import { FaultyFs, openedLine, openWriter, settledLine, temporaryFolder } from './journal.fixture.ts'
import { type JournalFileInfo, listJournals } from './journal-folder.ts'
import { removableJournals } from './removable-journals.ts'
import { readInstance } from './read-instance.fixture.ts'

test('files of several instances are listed in the order of writing', async () => {
  const one = openWriter({ fileBytesMax: 1 })
  for (let index = 0; index < 11; index++) {
    one.writer.append(openedLine(`h${index}`))
    one.writer.write()
  }
  await one.writer.close()
  const other = openWriter({ folder: one.folder, instanceId: 'other-2' })
  await other.writer.close()
  const files = listJournals(one.folder, 'db')
  const numbers = Array.from({ length: 12 }, (_, index) => `node-${index + 1}`)
  expect(files.map(({ fileId }) => fileId)).toEqual([...numbers, 'other-2-1'])
  expect(files.filter(({ isLast }) => isLast).map(({ fileId }) => fileId)).toEqual(['node-12', 'other-2-1'])
  expect(files.filter(({ problem }) => problem !== undefined)).toEqual([])
})

test('an absent folder has no journals', () => {
  expect(listJournals(join(temporaryFolder(), 'absent'), 'db')).toEqual([])
})

test('a file that is not ours to fold is named', async () => {
  const { writer, folder } = openWriter()
  writer.append(openedLine('a'))
  await writer.close()
  const newer = Buffer.alloc(HEADER_BYTES)
  const known = { databaseId: 'db', instanceId: 'newer', createdMs: 1, headFrames: 0 }
  writeHeader(newer, { ...newHeader(known), format: 2 })
  writeFileSync(join(folder, 'newer-1.journal'), newer)
  mkdirSync(join(folder, 'unreadable-1.journal'))
  writeFileSync(join(folder, 'notes.txt'), 'not a journal')
  const damaged = readFileSync(writer.path).fill('x', 100, 200)
  writeFileSync(join(folder, 'damaged-1.journal'), damaged)
  const elsewhere = openWriter({ folder, instanceId: 'elsewhere', databaseId: 'other' })
  await elsewhere.writer.close()
  const problems = listJournals(folder, 'db').map(({ instanceId, problem }) => [instanceId, problem])
  expect(Object.fromEntries(problems)).toEqual({
    damaged: 'damaged_header',
    elsewhere: 'other_database',
    newer: 'newer_version',
    node: undefined,
    unreadable: 'not_readable',
  })
})

test('a process that dies while it creates the next file loses no line', async () => {
  const fs = new FaultyFs()
  fs.isSyncHeld = true
  const { writer, folder } = openWriter({ fs, fileBytesMax: HEADER_BYTES + 1 })
  const lines = [openedLine('a'), settledLine('a'), openedLine('b')]
  for (const line of lines) writer.append(line)
  writer.write()
  expect(writer.fileId).toBe('node-2')
  const headBytes = writer.position
  const copy = temporaryFolder()
  cpSync(folder, copy, { recursive: true })
  for (let size = headBytes; size >= 0; size--) {
    truncateSync(join(copy, 'node-2.journal'), size)
    expect(readInstance(copy)).toEqual({ lines, gaps: [] })
  }
  fs.finishSyncs()
  await writer.close()
})

const MINUTE_MS = 60_000

function fileInfo(values: Partial<JournalFileInfo>): JournalFileInfo {
  return {
    fileId: 'node-1',
    instanceId: 'node',
    number: 1,
    path: '/journal/node-1.journal',
    size: 100,
    end: 100,
    modifiedMs: 0,
    isLast: true,
    problem: undefined,
    ...values,
  }
}

test.each([
  ['a folded file of a dead instance', {}, 100, 'dead', 1],
  ['a folded file of an ended instance', {}, 100, 'ended', 1],
  ['a file that is not folded', {}, 99, 'dead', 0],
  ['the current file of a live instance', {}, 100, 'alive', 0],
  ['an earlier file of a live instance', { isLast: false }, 100, 'alive', 1],
  [
    'a file that was folded up to the offset where the next one begins',
    { end: 50, isLast: false },
    50,
    'alive',
    1,
  ],
  ['a recent file', { modifiedMs: 5 * MINUTE_MS }, 100, 'dead', 0],
  ['a file from the future', { modifiedMs: 90 * MINUTE_MS }, 100, 'dead', 0],
  ['a file of another database', { problem: 'other_database' }, 100, 'dead', 0],
] as const)('%s', (_title, values, position, instance, removed) => {
  const removable = removableJournals([fileInfo(values)], () => ({ position, instance }), {
    nowMs: 10 * MINUTE_MS,
  })
  expect(removable).toHaveLength(removed)
})

test('files beyond 256 MiB in total are removed before their time, oldest first', () => {
  const files = [3, 1, 2].map((number) =>
    fileInfo({ number, size: 100 * 1024 * 1024, end: 5, modifiedMs: number }),
  )
  const removable = removableJournals(files, () => ({ position: 5, instance: 'dead' }), { nowMs: MINUTE_MS })
  expect(removable.map(({ number }) => number)).toEqual([1])
})
