import { useMemo, useState } from 'react'
import { readJson, writeJson } from '../session/storage.ts'
import type { Column } from './column.ts'

/** The visible columns as stored in the browser: column key to true or false. */
export type ColumnChoice = Readonly<Record<string, boolean>>

export interface ColumnSettings<Row> {
  readonly all: readonly Column<Row>[]
  readonly visible: readonly Column<Row>[]
  readonly choice: ColumnChoice
  readonly choose: (choice: ColumnChoice) => void
}

/** The columns that the reader has chosen, stored under `storageKey`. */
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

/**
 * A value for every column: the stored one, or the column's default. Keys of columns that no longer exist are
 * dropped.
 */
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
