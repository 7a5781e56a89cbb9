import { loadPlace } from '../../config/index.ts'
import { countFindings, printAudit } from './print-audit.ts'
import { runAudit } from './run-audit.ts'
import { runCommand } from '../command.ts'

// `npm run audit`: checks the ledger's invariants over all accounts. It may run beside a live gateway. Exits
// 1 when an invariant is broken.

await runCommand(async () => {
  const result = await runAudit(loadPlace())
  for (const line of printAudit(result)) console.log(line)
  return countFindings(result) === 0 ? 0 : 1
})
