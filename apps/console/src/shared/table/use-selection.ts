import { useMemo, useState } from 'react'
import type { RowKey, Selection } from './column.ts'

export interface RowSelection<Row> extends Selection {
  /** The selected rows; those of other pages are as they were when they were selected. */
  readonly rows: readonly Row[]
  readonly clear: () => void
}

/** Selected rows of a paged list. The selection is kept when the reader changes the page or searches. */
export function useSelection<Row>(
  shown: readonly Row[] | undefined,
  keyOf: (row: Row) => RowKey,
): RowSelection<Row> {
  const [ticked, setTicked] = useState<ReadonlyMap<RowKey, Row>>(new Map())
  return useMemo(() => {
    const onPage = new Map((shown ?? []).map((row) => [keyOf(row), row]))
    const rows = [...ticked].map(([key, row]) => onPage.get(key) ?? row)
    return {
      keys: new Set(ticked.keys()),
      rows,
      onChange: (keys) => {
        const known = new Map([...ticked, ...onPage])
        setTicked(new Map([...known].filter(([key]) => keys.has(key))))
      },
      clear: () => setTicked(new Map()),
    }
  }, [ticked, shown, keyOf])
}
