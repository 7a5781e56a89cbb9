import { isOwnDatabase } from '@tollgate/importer/open-source'
import { loadCopyKey, loadPlace } from '../../config/index.ts'
import { CommandError, UsageError, defineCommand } from '../command.ts'
import { moveOutcome } from './print-move.ts'
import { runMove } from './run-move.ts'

export const command = defineCommand({
  help: `tollgate move --from <dsn-or-sqlite-file> [--dry-run] [--json]

Copies another database of Tollgate whole into an empty one of any kind, which SQL_DSN or SQLITE_PATH names: from
SQLite to PostgreSQL, from MySQL to SQLite, and so on. Stop the gateways of the source first, and keep CRYPTO_SECRET or
data/secrets.json. Cut off, the same command goes on.

--from         a SQLite file, postgres://user:password@host/database, or user:password@tcp(host:3306)/database
--dry-run      says what it would copy, and writes nothing
`,
  options: { from: { type: 'string' }, 'dry-run': { type: 'boolean', default: false } },
  run: async ({ from, 'dry-run': isDryRun }, progress) => {
    if (!from) throw new UsageError('Say what to move: tollgate move --from <dsn-or-sqlite-file>')
    if (!(await isOwnDatabase(from)))
      throw new CommandError(
        '--from is no database of Tollgate: tollgate import reads those of other systems.',
      )
    const place = { ...loadPlace(), cipherKey: loadCopyKey }
    return moveOutcome(await runMove({ from, isDryRun, place, progress }))
  },
})
