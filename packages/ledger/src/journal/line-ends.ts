import { JournalReader } from './read-journal.ts'

/** Positions after every so many lines of a file between two positions, the last one excepted. */
export function* lineEnds(
  path: string,
  { from, to, lines }: { readonly from: number; readonly to: number; readonly lines: number },
): Generator<number> {
  if (from >= to) return
  const reader = new JournalReader(path)
  try {
    reader.skipTo(from)
    for (;;) {
      const { end, lines: read } = reader.read({ to, linesMax: lines })
      if (read.length < lines || end >= to) return
      yield end
    }
  } finally {
    reader.close()
  }
}
