import { useMemo, useState } from 'react'
import { readJson, writeJson } from '../session/storage.ts'
import type { Column } from './column.ts'

/** Which columns are shown, as it is kept in the browser: column key to yes or no. */
export type ColumnChoice = Readonly<Record<string, boolean>>

export interface ColumnSettings<Row> {
  readonly all: readonly Column<Row>[]
  readonly visible: readonly Column<Row>[]
  readonly choice: ColumnChoice
  readonly choose: (choice: ColumnChoice) => void
}

/** The columns the reader wants to see, remembered under `storageKey`. */
export function useColumns<Row>(storageKey: string, all: readonly Column<Row>[]): ColumnSettings<Row> {
  const [stored, setStored] = useState(() => readChoice(storageKey))
  return useMemo(() => {
    const choice = completeChoice(all, stored)
    return {
      all,
      choice,
      visible: visibleColumns(all, choice),
      choose: (next) => {
        writeJson(storageKey, next)
        setStored(next)
      },
    }
  }, [all, stored, storageKey])
}

/** Every column has an answer: the stored one, or the column's own default. Keys of columns that are gone are dropped. */
export function completeChoice<Row>(columns: readonly Column<Row>[], stored: ColumnChoice): ColumnChoice {
  return Object.fromEntries(
    columns.map((column) => [column.key, stored[column.key] ?? isShownAtFirst(column)]),
  )
}

export function defaultChoice<Row>(columns: readonly Column<Row>[]): ColumnChoice {
  return completeChoice(columns, {})
}

export function visibleColumns<Row>(
  columns: readonly Column<Row>[],
  choice: ColumnChoice,
): readonly Column<Row>[] {
  return columns.filter((column) => column.isFixed === true || choice[column.key] === true)
}

function isShownAtFirst<Row>(column: Column<Row>): boolean {
  return column.isHiddenAtFirst !== true
}

function readChoice(storageKey: string): ColumnChoice {
  const stored = readJson(storageKey)
  if (typeof stored !== 'object' || stored === null) return {}
  return Object.fromEntries(
    Object.entries(stored).filter((pair): pair is [string, boolean] => typeof pair[1] === 'boolean'),
  )
}
