import {
  appendFileSync,
  closeSync,
  openSync,
  readFileSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { HEADER_BYTES, newHeader, writeHeader } from './file-header.ts'
import { checkpointLine, openedLine, openWriter, settledLine, temporaryFolder } from './journal.fixture.ts'
import { JournalReader, NewerJournalError, readJournal } from './read-journal.ts'
import { LOST_PRICE_JSON } from './record.ts'

const LINES = [openedLine('a'), checkpointLine('a'), settledLine('a', '{"in":2}'), checkpointLine('c')]

async function writtenFile(): Promise<{ path: string; ends: number[]; bytes: Buffer }> {
  const { writer } = openWriter()
  const ends = LINES.map((line) => writer.append(line))
  await writer.close()
  return { path: writer.path, ends, bytes: readFileSync(writer.path) }
}

test('of a file that was cut at any byte, the whole lines are read and the torn tail is named', async () => {
  const { path, ends, bytes } = await writtenFile()
  for (let size = bytes.length - 1; size >= HEADER_BYTES; size--) {
    truncateSync(path, size)
    const { lines, gaps, end } = readJournal(path)
    const whole = ends.filter((lineEnd) => lineEnd <= size)
    expect(lines.map((entry) => entry.end)).toEqual(whole)
    expect(end).toBe(size)
    for (const gap of gaps) expect(gap).toMatchObject({ to: size, isTail: true, reason: 'damaged' })
    if (whole.at(-1) === size) expect(gaps).toEqual([])
  }
})

test('a flipped bit at any byte costs one frame, and the gap is named', async () => {
  const { path, bytes } = await writtenFile()
  const file = openSync(path, 'r+')
  for (let at = 0; at < bytes.length; at++) {
    writeSync(file, Buffer.of(bytes.readUInt8(at) ^ 0x10), 0, 1, at)
    const { lines, gaps, end, header } = readJournal(path)
    writeSync(file, bytes, at, 1, at)
    expect(gaps).toHaveLength(1)
    const [gap] = gaps
    expect(gap?.from).toBeLessThanOrEqual(at)
    expect(gap?.to).toBeGreaterThan(at)
    expect(gap?.missing).toBe(gap?.isTail ? 0 : 1)
    expect(end).toBe(bytes.length)
    const isLost = (line: (typeof LINES)[number]): boolean =>
      !lines.some((entry) => entry.line.holdId === line.holdId && entry.line.type === line.type)
    const lost = LINES.filter(isLost)
    const pricesLost = lines.filter(({ isPriceLost }) => isPriceLost)
    expect(lost.length + pricesLost.length + (header === undefined ? 1 : 0)).toBe(1)
    for (const { line } of pricesLost) expect(line).toMatchObject({ priceJson: LOST_PRICE_JSON })
  }
  closeSync(file)
})

test('zeros behind the last line are the end of the file', async () => {
  const { path, ends } = await writtenFile()
  appendFileSync(path, Buffer.alloc(3 * 1024 * 1024))
  const { lines, gaps } = readJournal(path)
  expect(lines.map(({ end }) => end)).toEqual(ends)
  expect(gaps).toEqual([])
})

test('a damaged range over several chunks is skipped', async () => {
  const { path, ends, bytes } = await writtenFile()
  const [first = 0] = ends
  const junk = Buffer.alloc(3 * 1024 * 1024, 'TGJ\xff', 'latin1')
  writeFileSync(path, Buffer.concat([bytes.subarray(0, first), junk, bytes.subarray(first)]))
  const { lines, gaps } = readJournal(path)
  expect(lines.map(({ line }) => line)).toEqual(LINES)
  expect(gaps).toEqual([expect.objectContaining({ from: first, to: first + junk.length, missing: 0 })])
})

test('a stale copy of earlier frames is not read again', async () => {
  const { path, ends, bytes } = await writtenFile()
  const [first = 0, second = 0] = ends
  writeFileSync(path, Buffer.concat([bytes, bytes.subarray(first, second)]))
  const { lines, gaps } = readJournal(path)
  expect(lines.map(({ line }) => line)).toEqual(LINES)
  expect(gaps).toEqual([expect.objectContaining({ from: bytes.length, isTail: true })])
})

test('a range is read with the prices that stand before it', async () => {
  const { path, ends } = await writtenFile()
  const [, second = 0, third = 0] = ends
  const { lines, end } = readJournal(path, { from: second, to: third })
  expect(lines.map(({ line }) => line)).toEqual([LINES[2]])
  expect(end).toBe(third)
})

test('a reader continues where it stopped, also in a file that grew', () => {
  const { writer } = openWriter()
  const reader = new JournalReader(writer.path)
  for (const holdId of ['a', 'b', 'c']) {
    writer.append(openedLine(holdId))
    const to = writer.append(checkpointLine(holdId))
    writer.write()
    expect(reader.read({ to, linesMax: 1 }).lines.map(({ line }) => line)).toEqual([openedLine(holdId)])
    const rest = reader.read({ to })
    expect(rest.lines.map(({ line }) => line)).toEqual([checkpointLine(holdId)])
    expect(rest).toMatchObject({ gaps: [], end: to })
  }
  reader.close()
})

test('a file of a newer version is refused', () => {
  const path = join(temporaryFolder(), 'node-1.journal')
  const bytes = Buffer.alloc(HEADER_BYTES)
  const known = { databaseId: 'db', instanceId: 'node', createdMs: 1, headFrames: 0 }
  writeHeader(bytes, { ...newHeader(known), format: 2 })
  writeFileSync(path, bytes)
  expect(() => new JournalReader(path)).toThrow(NewerJournalError)
})

test('a log row with long texts loses them rather than its charge', async () => {
  const { writer } = openWriter()
  const line = settledLine('long')
  if (line.type !== 'settled') throw new Error('not a settlement')
  const log = { request_id: 'long', content: 'x'.repeat(2_000_000), other: '{}', quota: 1n }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the other columns do not matter here
  writer.append({ ...line, log: log as never })
  expect(() => writer.append({ ...line, usageJson: 'x'.repeat(2_000_000) })).toThrow('longer than')
  await writer.close()
  const [entry] = readJournal(writer.path).lines
  expect(entry?.line).toMatchObject({ holdId: 'long', charged: 7n, log: { content: '', other: '{}' } })
})
