import { openStore } from '@tollgate/store/database/open-store'
import { isServerDsn } from '@tollgate/store/server/dsn'
import { findOwnInstallation } from '../../app/installation-id.ts'
import { confirmCopy } from '../../app/installation.ts'
import { loadPlace } from '../../config/index.ts'
import { defineCommand } from '../command.ts'

export const command = defineCommand({
  help: `tollgate confirm [--json]

Confirms that a restored, moved, imported or marked database is the original from now on: backups, log sinks, mails,
webhooks and automatic disabling begin. Make sure that no other gateway uses the database that it was copied from.
Embedded databases must not be in use; while the gateway runs, use the button in the console.

`,
  options: {},
  run: async () => {
    const place = loadPlace()
    const { sqlDsn: dsn, sqlitePath } = place
    const store = await openStore({ dsn, sqlitePath })
    try {
      const own = findOwnInstallation(place)
      const isChanged = await confirmCopy({ db: store.db, own, isEmbedded: !isServerDsn(dsn) })
      const line = isChanged
        ? 'The database is confirmed as the original.'
        : 'The database was the original already.'
      return { code: 0, lines: [line], json: { isConfirmed: true, isChanged } }
    } finally {
      await store.close()
    }
  },
})
