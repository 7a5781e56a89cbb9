import { type Command, UsageError } from '../command.ts'

const HELP = `tollgate [start]

Starts the gateway: console and API on one port, until SIGTERM or SIGINT. It has no options: settings are environment
variables, or a file .env in the working directory. The common ones:

PORT, HOST     where to listen: 3000 on all addresses
SQLITE_PATH    the embedded database: data/tollgate.db
SQL_DSN        PostgreSQL, MySQL or MariaDB instead
WORKERS        processes that share the port: 1

Exit codes: 0 stopped by a signal, 1 cannot start or failed.
`

/** Only for its text: the program itself starts the gateway, because that never comes back. */
export const command: Command = {
  help: HELP,
  run: async ([option]) => {
    if (option !== '--help' && option !== '-h')
      throw new UsageError(
        `tollgate start has no option ${option ?? ''}: settings are environment variables.`,
      )
    process.stdout.write(HELP)
    return 0
  },
}
