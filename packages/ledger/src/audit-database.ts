import { StoreError } from '@tollgate/store/database/errors'
import type { ConnectOptions } from '@tollgate/store/server/connection'
import { isServerDsn, parseDsn } from '@tollgate/store/server/dsn'
import { loadEngine } from '@tollgate/store/server/load-engine'
import { startThread } from '@tollgate/store/sqlite/host'
import type { AuditReport } from './audit-report.ts'
import { alone, auditServer } from './server/audit.ts'
import { mysqlMaintenance } from './server/mysql-maintenance.ts'
import { postgresMaintenance } from './server/postgres-maintenance.ts'
import { decodeReport } from './sqlite/report-wire.ts'

type Audited = Omit<AuditReport, 'durationMs'>

/**
 * Audits a database while other processes may be writing: it registers no instance, recovers nothing and
 * reads one snapshot.
 */
export function auditDatabase({ dsn, sqlitePath }: { dsn: string; sqlitePath: string }): Promise<Audited> {
  return isServerDsn(dsn) ? auditAtServer(dsn) : auditFile(sqlitePath)
}

export async function auditFile(path: string): Promise<Audited> {
  const reader = await startThread({ path, role: 'reader' })
  try {
    await reader.send({ type: 'load', url: new URL('./sqlite/audit-remote.ts', import.meta.url).href })
    const report = await reader.send({ type: 'call', name: 'ledger.audit', payload: '' })
    if (typeof report !== 'string') throw new StoreError('bug', 'the audit answers with text')
    return decodeReport(report)
  } finally {
    await reader.send({ type: 'close' })
  }
}

const HOUR_MS = 3_600_000
const PATIENT: ConnectOptions = {
  statementMs: HOUR_MS,
  silentTransactionMs: HOUR_MS,
  lockMs: 10_000,
  connectMs: 10_000,
}

async function auditAtServer(dsn: string): Promise<Audited> {
  const address = parseDsn(dsn)
  const isPostgres = address.engine === 'postgres'
  const engine = await loadEngine(address)
  const connection = await engine.connect(PATIENT).catch((error: unknown) => {
    throw engine.explain(error)
  })
  try {
    await engine.prepare(connection)
    return await auditServer(connection, {
      maintenance: isPostgres ? postgresMaintenance : mysqlMaintenance,
      rest: alone,
    })
  } finally {
    await connection.close()
  }
}
