import { loadPlace } from '../../config/index.ts'
import { defineCommand } from '../command.ts'
import { runVerify } from './run-verify.ts'

export const command = defineCommand({
  help: `tollgate verify [--file <backup>] [--json]

Checks that a backup is whole: every page of the file, the version of its tables, the ledger's invariants, and that
its secrets open with the CRYPTO_SECRET or secrets.json of this environment. It changes nothing.

--file         the backup; without it, the database that SQL_DSN or SQLITE_PATH names
`,
  options: { file: { type: 'string' } },
  run: async ({ file }) => {
    const place = loadPlace()
    const checked = file === undefined ? place : { sqlDsn: '', sqlitePath: file }
    const { audit, secrets } = await runVerify(checked, place)
    const { accounts, entries } = audit.report
    const findings = [
      ...audit.report.findings.map(({ rule, detail }) => `${rule} ${detail}`),
      ...audit.durability,
    ]
    const isSound = findings.length === 0 && secrets !== 'other'
    return {
      code: isSound ? 0 : 1,
      lines: [
        `${audit.name}: ${accounts.toLocaleString('en')} accounts, ${entries.toLocaleString('en')} entries`,
        ...findings,
        SECRETS[secrets],
        isSound ? 'It is whole.' : 'It is not sound.',
      ],
      json: { database: audit.name, accounts, entries, findings, secrets, isSound },
    }
  },
})

const SECRETS = {
  opened: 'Its secrets open with those of this environment.',
  none: 'It holds no secrets.',
  other:
    'Its secrets do not open with those of this environment: set the CRYPTO_SECRET that it was used with.',
  unchecked: 'Its secrets were not tried: there is neither CRYPTO_SECRET nor a secrets.json here.',
} as const
