import { WrittenTable } from '../rows/table.ts'
import type { TotalsDelta } from './totals-delta.ts'

/** Additions to the totals. */
export const tallyTable = new WrittenTable<TotalsDelta>({
  name: 'tally',
  columns: {
    subject: { word: 'key', encode: ({ subject }) => subject },
    used: { word: 'int8', encode: ({ used }) => used },
    calls: { word: 'int8', encode: ({ calls }) => calls },
    last_ms: { word: 'int8', encode: ({ lastMs }) => lastMs },
  },
})
