import { openStore } from '@tollgate/store/database/open-store'
import { readSchemaState } from '@tollgate/store/database/schema-state'
import { loadPlace } from '../../config/index.ts'
import { defineCommand } from '../command.ts'

export const command = defineCommand({
  help: `tollgate migrate [--dry-run] [--json]

Brings the tables of the database up to date, as a start of the gateway does. There is no way back to an earlier
version but a backup: take one first. Embedded databases must not be in use.

--dry-run      lists the steps, and writes nothing
`,
  options: { 'dry-run': { type: 'boolean', default: false } },
  run: async ({ 'dry-run': isDryRun }) => {
    const { sqlDsn: dsn, sqlitePath } = loadPlace()
    const { name, found, known, pending } = await readSchemaState({ dsn, sqlitePath })
    if (!isDryRun) await openStore({ dsn, sqlitePath }).then((store) => store.close())
    const verb = isDryRun ? 'would be applied' : 'applied'
    return {
      code: 0,
      lines: [
        `${name}: schema ${found}, this version knows ${known}.`,
        ...pending.map((step) => `${step.number} ${step.name} ${verb}`),
        ...(pending.length === 0 ? ['Nothing to do.'] : []),
      ],
      json: { database: name, found, known, isDryRun, steps: pending },
    }
  },
})
