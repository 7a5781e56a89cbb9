import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@tollgate/kit/clock'
import type { JournalRange } from '../../src/core/journal-range.ts'
import type { JournalLine } from '../../src/journal/line.ts'
import { JournalWriter } from '../../src/journal/write-journal.ts'

/** A journal file of a test, written at once. */
export interface JournalFile {
  /** Range of the lines from one index up to another, without reports. */
  readonly range: (from?: number, until?: number) => JournalRange
  readonly remove: () => void
}

let files = 0

function onFailure(error: unknown): never {
  throw error
}

export function journalFile(instanceId: string, lines: readonly JournalLine[]): JournalFile {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-journal-'))
  const parts = { folder, databaseId: 'test', clock: systemClock, onFailure }
  // Unique over all files of a test, while the range names the instance itself.
  const writer = new JournalWriter({ ...parts, instanceId: `${instanceId}-${++files}` })
  const { path, fileId } = writer
  const places = [0, ...lines.map((line) => writer.append(line))]
  writer.write()
  void writer.close()
  return {
    range: (from = 0, until = lines.length) => ({
      path,
      fileId,
      instanceId,
      from: places[from] ?? 0,
      to: places[until] ?? 0,
      reports: [],
    }),
    remove: () => rmSync(folder, { recursive: true }),
  }
}
