import { findLosses } from '@tollgate/importer/find-losses'
import { findTableLosses } from '@tollgate/importer/find-table-losses'
import { readTables } from '@tollgate/importer/shape'
import type { ImportContext } from './import-context.ts'
import type { LogSource } from './logs.ts'

const LOGS = 'logs'

/** Reports every column, member and table of the source that holds something and is not kept. */
export async function noteLosses(
  { source, report }: ImportContext,
  { withLogs, logs }: { withLogs: boolean; logs: readonly LogSource[] },
): Promise<void> {
  for (const table of readTables(source))
    if (table !== LOGS) report.losses.push(...(await findLosses(source, table)))
  if (withLogs) for (const log of logs) report.losses.push(...(await findLosses(log.source, LOGS)))
  report.losses.push(...(await findTableLosses(source)))
}
