import { logTable } from './log-table.ts'

/** Columns of the usage log, in the order in which they are transferred and bound. */
export const LOG_COLUMNS = logTable.properties
