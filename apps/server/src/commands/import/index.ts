import { isOwnDatabase } from '@tollgate/importer/open-source'
import { loadConfig, loadCopyKey, loadPlace } from '../../config/index.ts'
import { UsageError, defineCommand } from '../command.ts'
import { moveOutcome } from '../move/print-move.ts'
import { runMove } from '../move/run-move.ts'
import { jsonReport } from './json-report.ts'
import { printReport } from './print-report.ts'
import { requireWritable, writeReport } from './report-file.ts'
import { isImportFile } from './open-import-source.ts'
import { runImport } from './run-import.ts'

export const command = defineCommand({
  help: `tollgate import --from <dsn-or-sqlite-file> [--dry-run] [--with-logs] [--logs-from <dsn>] [--credit-plans] [--config <config.yaml>] [--report <file.json>] [--json]

Reads a database of the new-api family or of LiteLLM, or a file of users (users.csv), and brings its users, tokens, channels and settings over into the
database of this one (SQL_DSN, SQLITE_PATH). The source is only read. Running it again changes nothing.

A database of Tollgate itself is copied whole, as by tollgate move.

--from         a SQLite file, postgres://user:password@host/database, or user:password@tcp(host:3306)/database
--dry-run      says what it would do, and writes nothing
--with-logs    the usage log too; cut off, the next run goes on
--logs-from    where the usage log was split off to (LOG_SQL_DSN of the source)
--config       config.yaml of LiteLLM, whose database --from names
--credit-plans credits what is left of plans in force to the balances of their users
--report       writes the result as JSON into a file
`,
  options: {
    from: { type: 'string' },
    'dry-run': { type: 'boolean', default: false },
    'with-logs': { type: 'boolean', default: false },
    'logs-from': { type: 'string' },
    config: { type: 'string' },
    'credit-plans': { type: 'boolean', default: false },
    report: { type: 'string' },
  },
  run: async (values, progress) => {
    const { from, report, 'dry-run': isDryRun, 'logs-from': logsFrom } = values
    if (!from) throw new UsageError('Say what to import: tollgate import --from <dsn-or-sqlite-file>')
    if (report !== undefined) requireWritable(report)
    const place = { ...loadPlace(), cipherKey: () => loadConfig().keys.cipher }
    const outcome =
      !isImportFile(from) && (await isOwnDatabase(from))
        ? await moveOwn({ from, isDryRun, place: { ...place, cipherKey: loadCopyKey }, progress }, logsFrom)
        : await importOther({
            from,
            ...(logsFrom !== undefined && { logsFrom }),
            withLogs: values['with-logs'] || logsFrom !== undefined,
            creditsPlans: values['credit-plans'],
            ...(values.config !== undefined && { config: values.config }),
            isDryRun,
            place,
            progress,
          })
    if (report !== undefined) writeReport(report, outcome.json)
    return outcome
  },
})

async function moveOwn(request: Parameters<typeof runMove>[0], logsFrom: string | undefined) {
  if (logsFrom !== undefined)
    throw new UsageError(
      '--logs-from is for other systems: a usage log of ours that is in a database of its own stays there.',
    )
  return moveOutcome(await runMove(request))
}

async function importOther(request: Parameters<typeof runImport>[0]) {
  const { isDryRun } = request
  const result = await runImport(request)
  const isBalanced = (result.audit?.findings.length ?? 0) === 0
  return {
    code: isBalanced ? 0 : 1,
    lines: printReport(result, { isDryRun }),
    json: jsonReport(result, { isDryRun }),
  } as const
}
