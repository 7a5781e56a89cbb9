import { loadPlace } from '../../config/index.ts'
import { UsageError, defineCommand } from '../command.ts'
import { runBackup } from './run-backup.ts'

export const command = defineCommand({
  help: `tollgate backup --to <file> [--json]

Copies the embedded database as it is at one moment, also while the gateway serves calls, and checks the copy.
It first waits until the calls that have ended are in the database.
tollgate restore puts it back.

--to           the copy, a file that does not exist yet
`,
  options: { to: { type: 'string' } },
  run: async ({ to }, progress) => {
    if (!to) throw new UsageError('Say where to: tollgate backup --to <file>')
    const { bytes, report, secretsPath, isFolded } = await runBackup({ place: loadPlace(), to, progress })
    const { accounts, entries, findings } = report
    const megabytes = (bytes / 1_000_000).toFixed(1)
    return {
      code: findings.length === 0 ? 0 : 1,
      lines: [
        `${to}: ${megabytes} MB, ${accounts.toLocaleString('en')} accounts, ${entries.toLocaleString('en')} entries`,
        secretsPath === undefined
          ? 'Its secrets open with CRYPTO_SECRET of this environment: keep that as well.'
          : `Its secrets open with ${secretsPath}: keep a copy of that file as well, in another place.`,
      ],
      json: { file: to, bytes, accounts, entries, findings, secretsFile: secretsPath ?? null, isFolded },
      warnings: [
        ...(findings.length === 0
          ? []
          : [`The books in it do not balance: ${findings.length} findings; see tollgate audit.`]),
        ...(isFolded
          ? []
          : ['The journal has charges that are not in it: start the gateway once, then back up again.']),
      ],
    }
  },
})
