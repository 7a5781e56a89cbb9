import { useMemo, useState } from 'react'
import type { RowKey, Selection } from './column.ts'

export interface RowSelection<Row> extends Selection {
  /** The ticked rows, those of other pages as they were when they were ticked. */
  readonly rows: readonly Row[]
  readonly clear: () => void
}

/** Ticked rows of a list that is read page by page: turning a page or searching keeps them. */
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
