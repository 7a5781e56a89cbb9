import { accessSync, constants, existsSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { loadConfig, loadPlace } from '../config.ts'
import { CommandError, runCommand } from './command.ts'
import { jsonReport } from './import/json-report.ts'
import { printReport } from './import/print-report.ts'
import { openProgress } from './import/progress.ts'
import { runImport } from './import/run-import.ts'

const HELP = `npm run import -- --from <dsn-or-sqlite-file> [--dry-run] [--with-logs] [--logs-from <dsn>] [--report <file.json>]

Reads a database of this family of gateways and brings its users, tokens, channels and settings over into the
database of this one (SQL_DSN, SQLITE_PATH). The source is only read. Running it again changes nothing.

--from       a SQLite file, postgres://user:password@host/database, or user:password@tcp(host:3306)/database
--dry-run    tells what it would do, and writes nothing
--with-logs  the usage log too; cut off, the next run goes on
--logs-from  where the usage log was split off to (LOG_SQL_DSN of the source)
--report     writes what it did into a file, for programs
`

await runCommand(async () => {
  const { values } = parseArgs({
    options: {
      from: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
      'with-logs': { type: 'boolean', default: false },
      'logs-from': { type: 'string' },
      report: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  if (!values.from)
    throw new CommandError('Say what to import: npm run import -- --from <dsn-or-sqlite-file>')
  const isDryRun = values['dry-run']
  if (values.report !== undefined) requireWritable(values.report)
  const result = await runImport({
    from: values.from,
    ...(values['logs-from'] !== undefined && { logsFrom: values['logs-from'] }),
    withLogs: values['with-logs'] || values['logs-from'] !== undefined,
    isDryRun,
    place: { ...loadPlace(), sealKey: () => loadConfig().keys.seal },
    progress: openProgress(process.stderr),
  })
  for (const line of printReport(result, { isDryRun })) console.log(line)
  if (values.report !== undefined) writeFileSync(values.report, jsonReport(result, { isDryRun }))
  return (result.audit?.findings.length ?? 0) === 0 ? 0 : 1
})

/** Told before anything is changed, not after. */
function requireWritable(path: string): void {
  try {
    accessSync(existsSync(path) ? path : dirname(path), constants.W_OK)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new CommandError(`${path} cannot be written: ${why}.`, { cause })
  }
}
