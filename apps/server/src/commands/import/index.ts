import { accessSync, constants, existsSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { isOwnDatabase } from '@tollgate/importer/open-source'
import { loadConfig, loadPlace } from '../../config/index.ts'
import { CommandError, runCommand } from '../command.ts'
import { jsonReport } from './json-report.ts'
import { printReport } from './print-report.ts'
import { openProgress } from './progress.ts'
import { runImport } from './run-import.ts'
import type { TargetPlace } from './target.ts'
import { jsonMove, printMove } from '../move/print-move.ts'
import { runMove } from '../move/run-move.ts'

const HELP = `npm run import -- --from <dsn-or-sqlite-file> [--dry-run] [--with-logs] [--logs-from <dsn>] [--report <file.json>]

Reads a database of the new-api family and brings its users, tokens, channels and settings over into the
database of this one (SQL_DSN, SQLITE_PATH). The source is only read. Running it again changes nothing.

A database of Tollgate itself is copied whole, into an empty one of any kind: stop its gateway first, and keep CRYPTO_SECRET
or data/secrets.json. Cut off, the same command goes on.

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
  const place = { ...loadPlace(), cipherKey: () => loadConfig().keys.cipher }
  if (await isOwnDatabase(values.from)) {
    if (values['logs-from'] !== undefined)
      throw new CommandError(
        '--logs-from is for other systems: a usage log of ours that is in a database of its own stays there.',
      )
    return moveOwn({ from: values.from, isDryRun, place, report: values.report })
  }
  const result = await runImport({
    from: values.from,
    ...(values['logs-from'] !== undefined && { logsFrom: values['logs-from'] }),
    withLogs: values['with-logs'] || values['logs-from'] !== undefined,
    isDryRun,
    place,
    progress: openProgress(process.stderr),
  })
  for (const line of printReport(result, { isDryRun })) console.log(line)
  if (values.report !== undefined) writeReport(values.report, jsonReport(result, { isDryRun }))
  return (result.audit?.findings.length ?? 0) === 0 ? 0 : 1
})

interface Move {
  readonly from: string
  readonly isDryRun: boolean
  readonly place: TargetPlace
  readonly report: string | undefined
}

async function moveOwn({ report, ...request }: Move): Promise<number> {
  const result = await runMove({ ...request, progress: openProgress(process.stderr) })
  for (const line of printMove(result)) console.log(line)
  if (report !== undefined) writeReport(report, jsonMove(result))
  return 0
}

function writeReport(path: string, text: string): void {
  try {
    writeFileSync(path, text)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new CommandError(`The import is done, but ${path} cannot be written: ${why}.`, { cause })
  }
}

/** Fails before anything is changed, instead of after. */
function requireWritable(path: string): void {
  try {
    accessSync(existsSync(path) ? path : dirname(path), constants.W_OK)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new CommandError(`${path} cannot be written: ${why}.`, { cause })
  }
}
