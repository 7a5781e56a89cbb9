import type { UsageLogRow } from '@tollgate/store/tables/logs'
import type { Changes } from '../core/state.ts'
import { logTable } from '../rows/log-table.ts'
import { noticeTable } from '../rows/notice-table.ts'
import {
  accountTable,
  allotmentTable,
  entryTable,
  holdTable,
  journalTable,
  priceTable,
  rejectedTable,
} from '../rows/tables.ts'
import { newTaskTable, taskEndTable } from '../rows/task-tables.ts'
import { type Encoded, columnLists, jsonLists, jsonObjects } from './json-rows.ts'
import type { Statement, Statements } from './statements.ts'
import { tallyTable } from './tally-table.ts'
import { totalsDeltaOf } from './totals-delta.ts'

export interface Write {
  readonly statement: Statement
  readonly parameters: readonly string[]
  /** Number of rows that the statement must affect; `undefined` when it may vary. */
  readonly rows: number | undefined
  readonly isEmpty: boolean
}

/**
 * Turns the changes of a batch into as few statements as possible, in an order that satisfies the
 * constraints.
 */
export function writesOf(
  changes: Changes,
  { statements, knownPrices }: { readonly statements: Statements; readonly knownPrices: ReadonlySet<string> },
): readonly Write[] {
  const prices = changes.prices.filter((json) => !knownPrices.has(json))
  const writes = [
    rows(statements.insertAccounts, accountTable, changes.newAccounts),
    rows(statements.updateAccounts, accountTable, changes.changedAccounts),
    // In one order on all nodes, because each waits for a price that another one is inserting.
    { ...rows(statements.insertPrices, priceTable, prices.toSorted()), rows: undefined },
    rows(statements.deleteHolds, idsOnly, changes.endedHolds),
    rows(statements.insertHolds, holdTable, changes.newHolds),
    rows(statements.updateHolds, holdTable, changes.changedHolds),
    rows(statements.deleteAllotments, allotmentTable, changes.endedAllotments),
    rows(statements.insertAllotments, allotmentTable, changes.newAllotments),
    rows(statements.updateAllotments, allotmentTable, changes.changedAllotments),
    rows(statements.insertEntries, entryTable, changes.entries),
    { ...rows(statements.writeLogs, logTable, lastLogs(changes)), rows: undefined },
    rows(statements.insertTasks, newTaskTable, changes.newTasks),
    rows(statements.endTasks, taskEndTable, changes.endedTasks),
    { ...rows(statements.queueNotices, noticeTable, changes.notices), rows: undefined },
    rows(statements.insertTally, tallyTable, totalsDeltaOf(changes.entries)),
    rows(statements.insertJournals, journalTable, changes.newJournals),
    rows(statements.updateJournals, journalTable, changes.changedJournals),
    rows(statements.insertRejected, rejectedTable, changes.rejected),
  ]
  return writes.filter(({ isEmpty }) => !isEmpty)
}

function rows<Row>(statement: Statement, table: Encoded<Row>, list: readonly Row[]): Write {
  const isEmpty = list.length === 0
  const parameters = isEmpty ? [] : parametersOf[statement.takes ?? 'objects'](table, list)
  return { statement, parameters, rows: list.length, isEmpty }
}

/** By what a statement takes. */
const parametersOf = {
  objects: <Row>(table: Encoded<Row>, list: readonly Row[]) => [jsonObjects(table, list)],
  lists: <Row>(table: Encoded<Row>, list: readonly Row[]) => [jsonLists(table, list)],
  columns: columnLists,
}

const idsOnly: Encoded<string> = { words: { id: 'key' }, encoders: [(id) => id] }

/** One row per request: an engine refuses to upsert the same row twice in one statement. */
function lastLogs({ logs }: Changes): readonly UsageLogRow[] {
  return [...new Map(logs.map((row) => [row.request_id, row])).values()]
}
