import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Store, openStore } from '@tollgate/store/database/open-store'
import type { TestServer } from '@tollgate/testkit/databases'
import { expect } from 'vitest'
import { printReport } from '../../../src/commands/import/print-report.ts'
import { type ImportResult, runImport } from '../../../src/commands/import/run-import.ts'
import { cipherKey, silent } from './run.ts'

export interface ImportTrial {
  /** The value of `--from`. */
  readonly from: string
  readonly config?: string
  /** `undefined` is SQLite. */
  readonly server: TestServer | undefined
  readonly look: (result: ImportResult, store: Store) => Promise<void>
}

/** Imports into a new database of an engine, and has a look at it. */
export async function importInto({ from, config, server, look }: ImportTrial): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-import-into-'))
  const database = await server?.createDatabase()
  const place = { sqlDsn: database?.dsn ?? '', sqlitePath: join(folder, 'tollgate.db'), cipherKey }
  const request = { from, withLogs: true, isDryRun: false, progress: silent, place }
  try {
    const result = await runImport({ ...request, ...(config !== undefined && { config }) })
    expect(result.audit?.findings).toEqual([])
    const store = await openStore({ dsn: place.sqlDsn, sqlitePath: place.sqlitePath })
    try {
      await look(result, store)
    } finally {
      await store.close()
    }
  } finally {
    await database?.drop()
    rmSync(folder, { recursive: true })
  }
}

/** Without the name of the source and the folder of the side file. */
export function listReportLines(result: ImportResult): string[] {
  return printReport(result, { isDryRun: false }).filter(
    (line) => !/^From |^Whatever was left out/.test(line),
  )
}
