import { loadPlace } from '../../config/index.ts'
import { defineCommand } from '../command.ts'
import { countFindings, jsonAudit, printAudit } from './print-audit.ts'
import { runAudit } from './run-audit.ts'

export const command = defineCommand({
  help: `tollgate audit [--json]

Checks the ledger's invariants over all accounts of the database that SQL_DSN or SQLITE_PATH names. It changes
nothing and may run beside a gateway that serves calls.

`,
  options: {},
  run: async () => {
    const result = await runAudit(loadPlace())
    return {
      code: countFindings(result) === 0 ? 0 : 1,
      lines: printAudit(result),
      json: jsonAudit(result),
    }
  },
})
