import { openStore } from '@tollgate/store/database/open-store'
import { markCopy } from '@tollgate/store/operations/installation'
import { loadPlace } from '../../config/index.ts'
import { defineCommand } from '../command.ts'

export const command = defineCommand({
  help: `tollgate mark-copy [--json]

Marks the database that SQL_DSN or SQLITE_PATH names as a copy, for one that was made with pg_dump, mysqldump, a snapshot
or cp. A gateway on it serves calls, and does nothing outside: no backups, log sinks, mails, webhooks and automatic
disabling, until tollgate confirm. Embedded databases must not be in use.

`,
  options: {},
  run: async () => {
    const { sqlDsn: dsn, sqlitePath } = loadPlace()
    const store = await openStore({ dsn, sqlitePath })
    try {
      await markCopy(store.db, { cause: 'marked', nowMs: Date.now() })
    } finally {
      await store.close()
    }
    return {
      code: 0,
      lines: ['The database is marked as a copy. tollgate confirm makes it the original.'],
      json: { isConfirmed: false },
    }
  },
})
