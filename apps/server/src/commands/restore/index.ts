import { loadBucketAccess, loadPlace } from '../../config/index.ts'
import { UsageError, defineCommand } from '../command.ts'
import { fetchBackup } from './fetch-backup.ts'
import { runRestore } from './run-restore.ts'

export const command = defineCommand({
  help: `tollgate restore --from <backup> [--secrets <secrets.json>] [--replace] [--json]

Puts a backup in the place of SQLITE_PATH. The gateway must be stopped. The backup is checked first and only read; a
restore that is cut off leaves the old database in its place.

--from         the backup, a file that tollgate backup wrote, or its address in an S3-compatible bucket, such as
               https://s3.example.com/bucket/folder/tollgate-20261124T033000Z.db; with a slash at the end the newest
               copy of the folder. AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION open the bucket
--secrets      copies this secrets.json beside the database, where there is none yet
--replace      the database that is there now gives way; it is kept under another name
`,
  options: {
    from: { type: 'string' },
    secrets: { type: 'string' },
    replace: { type: 'boolean', default: false },
  },
  run: async ({ from, secrets, replace: mayReplace }, progress) => {
    if (!from) throw new UsageError('Say what to restore: tollgate restore --from <backup>')
    const place = loadPlace()
    const fetch = /^https?:/i.test(from)
      ? (to: string) => fetchBackup({ from, to, access: loadBucketAccess(), progress })
      : undefined
    const result = await runRestore({ place, from, fetch, secrets, mayReplace, progress })
    const { accounts, entries, kept, isOlder, hasSecrets } = result
    return {
      code: 0,
      lines: [
        `${place.sqlitePath} is restored from ${result.from}: ${accounts.toLocaleString('en')} accounts, ${entries.toLocaleString('en')} entries.`,
        ...(kept === undefined ? [] : [`The database that was there is kept as ${kept}.`]),
        'It is a copy until you confirm it: no backups, log sinks, mails, webhooks and automatic disabling (tollgate confirm).',
        ...(isOlder
          ? ['Its tables are those of an earlier version: the next start brings them up to date.']
          : []),
        ...(hasSecrets
          ? []
          : ['Before the start, set its CRYPTO_SECRET or put its secrets.json beside the database.']),
      ],
      json: { database: place.sqlitePath, ...result, kept: kept ?? null },
    }
  },
})
