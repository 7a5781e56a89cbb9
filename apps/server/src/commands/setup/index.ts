import { UsageError, defineCommand } from '../command.ts'
import { readPassword } from './read-password.ts'
import { runSetupOffline } from './run-setup.ts'

export const command = defineCommand({
  help: `tollgate setup --username <name> [--self-use] [--json] < password.txt

Performs the first-run setup without a browser: creates the super admin, whose password is read from standard input.
Run it once, before the first start or with the gateway stopped.

--username     name of the super admin
--self-use     prices are not required: one person uses the gateway
`,
  options: { username: { type: 'string' }, 'self-use': { type: 'boolean', default: false } },
  run: async ({ username, 'self-use': isSelfUse }) => {
    if (!username) throw new UsageError('Say who: tollgate setup --username <name> < password.txt')
    const password = await readPassword(process.stdin)
    const database = await runSetupOffline({ username, password, isSelfUse })
    return {
      code: 0,
      lines: [`${database} is set up. ${username} is its super admin.`],
      json: { database, username },
    }
  },
})
