import { listJournals } from './journal-folder.ts'
import type { JournalLine } from './line.ts'
import { isFolded, type JournalGap, JournalReader } from './read-journal.ts'

/**
 * Reads all lines of an instance as recovery does.
 * @param folded Positions that folding has reached before, by file.
 */
export function readInstance(
  folder: string,
  folded: Readonly<Record<string, number>> = {},
): { lines: JournalLine[]; gaps: JournalGap[] } {
  const positions = new Map(Object.entries(folded))
  const lines: JournalLine[] = []
  const gaps: JournalGap[] = []
  for (const { path, fileId, end, problem } of listJournals(folder, 'db')) {
    if (problem !== undefined && problem !== 'damaged_header') throw new Error(problem)
    const from = positions.get(fileId) ?? 0
    if (from >= end) continue
    const reader = new JournalReader(path)
    reader.skipTo(from)
    const range = reader.read({ to: end })
    reader.close()
    const fresh = range.lines.filter((entry) => !isFolded(entry, (id) => positions.get(id) ?? 0))
    lines.push(...fresh.map(({ line }) => line))
    gaps.push(...range.gaps)
    positions.set(fileId, range.end)
  }
  return { lines, gaps }
}
