import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ManualClock } from '@tollgate/kit/clock'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openedLine, settledLine } from '../journal/journal.fixture.ts'
import { readJournal } from '../journal/read-journal.ts'
import { ProcessJournal } from './process-journal.ts'

/** Room for more than a thousand lines, which are the most that are folded again at once. */
const FILE_BYTES = 400_000
const RANGE_BYTES = 20_000
const LINE_BYTES_MAX = 1_000
const CALLS = 4_000

let folder: string
let journal: ProcessJournal
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-process-journal-'))
  journal = new ProcessJournal({
    folder,
    databaseId: 'db',
    instanceId: 'node',
    clock: new ManualClock(1_000),
    openCalls: () => [],
    onNextFile: () => undefined,
    onWritten: () => undefined,
    onFailure: () => undefined,
    fileBytesMax: FILE_BYTES,
    rangeBytesMax: RANGE_BYTES,
  })
})
afterEach(async () => {
  await journal.close()
  rmSync(folder, { recursive: true })
})

/** A file ends where it was forced to the disk, so that is done now and then. */
async function writeCalls(count: number): Promise<void> {
  for (let call = 0; call < count; call++) {
    journal.write(openedLine(`call-${call}`))
    journal.write(settledLine(`call-${call}`))
    if (call % 50 === 49) await journal.sync()
  }
}

/** Takes the ranges as a ledger that folds each of them. */
function foldAll() {
  const ranges: NonNullable<ReturnType<ProcessJournal['next']>>[] = []
  for (let range = journal.next(); range !== undefined; range = journal.next()) {
    ranges.push(range)
    journal.done(range, range.to)
  }
  return ranges
}

test('what waits to be folded is divided into small ranges, also in files that are full', async () => {
  await writeCalls(CALLS)
  const ranges = foldAll()
  const paths = new Set(ranges.map(({ path }) => path))
  expect(paths.size).toBeGreaterThan(1)
  for (const { path, from, to } of ranges) {
    expect(to - from, path).toBeLessThanOrEqual(RANGE_BYTES + LINE_BYTES_MAX)
  }
  const lines = new Map([...paths].map((path) => [path, readJournal(path).lines]))
  const settled = ranges.flatMap(({ path, from, to }) => {
    const inRange = (lines.get(path) ?? []).filter(({ end }) => end > from && end <= to)
    expect(inRange.at(-1)?.end, path).toBe(to)
    return inRange.flatMap(({ line }) => (line.type === 'settled' ? [line.holdId] : []))
  })
  expect(new Set(settled).size).toBe(CALLS)
  expect(journal.unfoldedBytes).toBe(0)
})

test('what a database that was set back has lost is divided again, also in a file that is full', async () => {
  await writeCalls(CALLS)
  const first = journal.next()
  if (!first || first.path === journal.path) throw new Error('the first file is full')
  const whole = { ...first, to: readJournal(first.path).end }
  journal.done(whole, whole.to)
  journal.done(whole, 0)
  const again = foldAll().filter(({ path }) => path === first.path)
  expect(again[0]?.from).toBe(0)
  expect(again.length).toBeGreaterThan(1)
})
