import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  checkpointLine,
  FaultyFs,
  openedLine,
  openWriter,
  releasedLine,
  settledLine,
} from './journal.fixture.ts'
import type { JournalLine } from './line.ts'
import { readJournal } from './read-journal.ts'
import { readInstance } from './read-instance.fixture.ts'

const LINES: readonly JournalLine[] = [
  openedLine('a'),
  checkpointLine('a'),
  openedLine('b', '{"in":2}'),
  settledLine('a'),
  releasedLine('b'),
]

const SHORT = [openedLine('a'), checkpointLine('a'), releasedLine('a')]

test('a short write at any byte loses no line and repeats none', async () => {
  const whole = openWriter()
  for (const line of SHORT) whole.writer.append(line)
  const written = whole.writer.position
  whole.writer.write()
  const bytes = whole.writer.position - written
  await whole.writer.close()
  for (let room = 1; room < bytes; room++) {
    const fs = new CutOnce()
    const { writer, folder, failures } = openWriter({ fs })
    fs.room = room
    for (const line of SHORT) {
      writer.append(line)
      writer.write()
    }
    expect(failures).toHaveLength(1)
    expect(writer.fileId).toBe('node-2')
    expect(readInstance(folder).lines).toEqual(SHORT)
    await writer.close()
  }
})

test('a line that was folded before its file failed is known to be folded', async () => {
  const fs = new FaultyFs()
  const { writer, folder } = openWriter({ fs })
  await writer.sync()
  fs.isSyncHeld = true
  const ends = LINES.map((line) => writer.append(line))
  writer.write()
  const syncing = writer.sync()
  fs.failNextSync()
  await syncing
  expect(writer.fileId).toBe('node-2')
  for (const [index, end] of ends.entries())
    expect(readInstance(folder, { 'node-1': end }).lines).toEqual(LINES.slice(index + 1))
  await writer.close()
})

test('a line that was repeated twice is known to be folded in the first file', async () => {
  const fs = new FaultyFs()
  fs.isSyncHeld = true
  const { writer, folder } = openWriter({ fs, fileBytesMax: 1 })
  const end = writer.append(openedLine('a'))
  writer.write()
  const secondEnd = writer.append(openedLine('b'))
  writer.write()
  expect(writer.fileId).toBe('node-3')
  expect(readInstance(folder).lines).toEqual([openedLine('a'), openedLine('b')])
  expect(readInstance(folder, { 'node-1': end }).lines).toEqual([openedLine('b')])
  expect(readInstance(folder, { 'node-2': secondEnd }).lines).toEqual([])
  fs.finishSyncs()
  await writer.close()
})

test('a disk that refuses every sync stops the writer and leaves no further files', async () => {
  const fs = new FaultyFs()
  const { writer, folder, failures } = openWriter({ fs, syncMs: 1 })
  await writer.sync()
  fs.isSyncFailing = true
  writer.append(openedLine('a'))
  writer.write()
  await expect.poll(() => writer.canWrite).toBe(false)
  await expect.poll(() => fs.removed).toBeGreaterThan(2)
  expect(readdirSync(folder)).toEqual(['node-1.journal'])
  expect(failures).toHaveLength(2)
  fs.isSyncFailing = false
  await expect.poll(() => writer.canWrite).toBe(true)
  expect(writer.synced).toBe(writer.position)
  await writer.close()
  expect(readInstance(folder).lines).toEqual([openedLine('a')])
})

test('a full disk refuses calls, and the ends of calls are written when there is room again', async () => {
  const fs = new FaultyFs()
  const { writer, folder, failures } = openWriter({ fs })
  writer.append(openedLine('a'))
  writer.write()
  fs.room = 0
  writer.append(checkpointLine('a'))
  expect(() => writer.write()).toThrow('the journal is broken')
  expect(writer.canWrite).toBe(false)
  expect(() => writer.append(openedLine('b'))).toThrow('the journal is broken')
  expect(writer.append(settledLine('a'))).toBe(Infinity)
  expect(() => writer.write()).toThrow('the journal is broken')
  await expect(writer.sync()).rejects.toThrow('the journal is broken')
  expect(readdirSync(folder)).toEqual(['node-1.journal'])
  fs.room = Infinity
  await expect.poll(() => writer.canWrite).toBe(true)
  await writer.close()
  expect(readInstance(folder).lines).toEqual([openedLine('a'), checkpointLine('a'), settledLine('a')])
  expect(failures).toHaveLength(2)
})

test('a sync that waits is rejected when its file fails and no other can be made', async () => {
  const fs = new FaultyFs()
  const { writer } = openWriter({ fs })
  fs.isSyncHeld = true
  writer.append(openedLine('a'))
  writer.write()
  const waiting = writer.sync()
  fs.isSyncFailing = true
  fs.room = 0
  fs.finishSyncs()
  await expect(waiting).rejects.toThrow('i/o error')
  await expect(writer.close()).rejects.toThrow('the journal is broken')
})

test('a writer that cannot write its first file leaves none behind', () => {
  const fs = new FaultyFs()
  fs.room = 100
  const { folder } = openWriter()
  expect(() => openWriter({ folder, instanceId: 'other', fs })).toThrow('cannot be written')
  expect(readdirSync(folder)).toEqual(['node-1.journal'])
})

test('a full file is continued with the calls in flight', async () => {
  const open = [openedLine('x'), checkpointLine('x', 6n)]
  const previous: { fileId: string; end: number }[] = []
  const { writer, folder } = openWriter({
    fileBytesMax: 3_000,
    openCalls: () => open,
    onNextFile: (file) => previous.push(file),
  })
  const lines = Array.from({ length: 60 }, (_, index) => settledLine(`s${index}`))
  for (const line of lines) {
    writer.append(line)
    writer.write()
    await writer.sync()
  }
  await writer.close()
  expect(previous.length).toBeGreaterThan(1)
  expect(previous.map(({ fileId }) => fileId)).toEqual(previous.map((_, index) => `node-${index + 1}`))
  expect(
    readJournal(writer.path)
      .lines.slice(0, 2)
      .map(({ line }) => line),
  ).toEqual(open)
  const { lines: read, gaps } = readInstance(folder)
  expect(read.filter(({ type }) => type === 'settled')).toEqual(lines)
  expect(gaps).toEqual([])
})

/** Only the first file lacks room. Syncs do nothing, to save time. */
class CutOnce extends FaultyFs {
  override fdatasync(_fd: number, callback: (error: null) => void): void {
    setImmediate(callback, null)
  }

  override fsync(fd: number, callback: (error: null) => void): void {
    this.fdatasync(fd, callback)
  }

  override fsyncSync(): void {
    // Nothing to wait for.
  }

  override openSync(path: string, flags: string, mode?: number): number {
    this.room = Infinity
    return super.openSync(path, flags, mode)
  }
}
