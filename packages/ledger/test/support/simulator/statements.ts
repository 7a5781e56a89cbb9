import type { Statement, Statements } from '../../../src/server/statements.ts'

const CHECKED: ReadonlySet<string> = new Set([
  'updateAccounts',
  'updateHolds',
  'deleteHolds',
  'updateAllotments',
  'deleteAllotments',
  'updateJournals',
])

/**
 * Statements that the simulated database executes by name. With `isPipelined` they behave as on PostgreSQL,
 * otherwise as on MySQL.
 */
export function simulatedStatements({ isPipelined }: { isPipelined: boolean }): Statements {
  const named = (name: string): Statement => ({
    name,
    sql: name,
    ...(isPipelined && CHECKED.has(name) && { checksRows: true }),
  })
  return {
    commitsWithChanges: isPipelined,
    list: (values) => JSON.stringify(values),
    lockAccounts: named('lockAccounts'),
    readHolds: named('readHolds'),
    readEntries: named('readEntries'),
    lockTasks: named('lockTasks'),
    readAllotments: named('readAllotments'),
    lockJournals: named('lockJournals'),
    insertAccounts: named('insertAccounts'),
    updateAccounts: named('updateAccounts'),
    insertPrices: named('insertPrices'),
    insertHolds: named('insertHolds'),
    updateHolds: named('updateHolds'),
    deleteHolds: named('deleteHolds'),
    insertAllotments: named('insertAllotments'),
    updateAllotments: named('updateAllotments'),
    deleteAllotments: named('deleteAllotments'),
    insertJournals: named('insertJournals'),
    updateJournals: named('updateJournals'),
    insertRejected: named('insertRejected'),
    insertEntries: named('insertEntries'),
    writeLogs: named('writeLogs'),
    insertTasks: named('insertTasks'),
    endTasks: named('endTasks'),
    queueNotices: named('queueNotices'),
    insertTally: named('insertTally'),
    enter: named('enter'),
    note: named('note'),
    lastBatch: named('lastBatch'),
    leave: named('leave'),
    silentInstances: named('silentInstances'),
    declareDead: named('declareDead'),
    orphanedHolds: named('orphanedHolds'),
    orphanedAllotments: named('orphanedAllotments'),
  }
}
