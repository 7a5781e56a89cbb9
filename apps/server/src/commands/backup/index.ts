import process from 'node:process'
import { parseArgs } from 'node:util'
import { loadPlace } from '../../config/index.ts'
import { runBackup } from './run-backup.ts'
import { CommandError, runCommand } from '../command.ts'
import { openProgress } from '../import/progress.ts'

const HELP = `npm run backup -- --to <file>

Copies the embedded database as it is at one moment, also while the gateway runs, and checks the copy. To restore it, stop
the gateway and put the copy in the place of SQLITE_PATH, without the -wal and -shm files that lie beside the old one.
`

await runCommand(async () => {
  const { values } = parseArgs({
    options: { to: { type: 'string' }, help: { type: 'boolean', default: false } },
  })
  if (values.help) {
    process.stdout.write(HELP)
    return 0
  }
  const { to } = values
  if (to === undefined || to === '') throw new CommandError('Say where to: npm run backup -- --to <file>')
  const place = loadPlace()
  const { bytes, report, secretsPath } = await runBackup({
    place,
    to,
    progress: openProgress(process.stderr),
  })
  const { accounts, entries, findings } = report
  const megabytes = (bytes / 1_000_000).toFixed(1)
  console.log(
    `${to}: ${megabytes} MB, ${accounts.toLocaleString('en')} accounts, ${entries.toLocaleString('en')} entries`,
  )
  if (secretsPath === undefined)
    console.log('Its secrets open with CRYPTO_SECRET of this environment: keep that as well.')
  else
    console.log(`Its secrets open with ${secretsPath}: keep a copy of that file as well, in another place.`)
  if (findings.length === 0) return 0
  console.error(`The books in it do not balance: ${findings.length} findings; see npm run audit.`)
  return 1
})
