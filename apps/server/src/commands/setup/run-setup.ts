import { systemClock } from '@tollgate/kit/clock'
import { openLedger } from '@tollgate/ledger/open-ledger'
import { Problem } from '@tollgate/problems/problem'
import { openStore } from '@tollgate/store/database/open-store'
import { isServerDsn } from '@tollgate/store/server/dsn'
import { loadConfig } from '../../config/index.ts'
import { openPasswords } from '../../services/session/passwords.ts'
import { setUp } from '../../services/setup/run.ts'
import { version } from '../../version.ts'
import { CommandError } from '../command.ts'

export interface OfflineSetup {
  readonly username: string
  readonly password: string
  readonly isSelfUse: boolean
}

/** Sets up the configured database, creating it if it is missing, and returns its name. */
export async function runSetupOffline({ username, password, isSelfUse }: OfflineSetup): Promise<string> {
  const { sqlDsn: dsn, sqlitePath } = loadConfig()
  const store = await openStore({ dsn, sqlitePath })
  try {
    const ledger = await openLedger({ store, clock: systemClock })
    const parts = {
      store: store.db,
      ledger,
      clock: systemClock,
      passwords: openPasswords(),
      version,
      notices: nobody,
    }
    const body = {
      username,
      password,
      confirmPassword: password,
      SelfUseModeEnabled: isSelfUse,
      DemoSiteEnabled: false,
    }
    await setUp(parts, body, '').catch(explainProblem)
    await ledger.close()
    return isServerDsn(dsn) ? 'The database of SQL_DSN' : sqlitePath
  } finally {
    await store.close()
  }
}

/** No gateway runs that could have cached what the setup changes. */
const nobody = { publish: async () => undefined }

function explainProblem(error: unknown): never {
  if (error instanceof Problem) throw new CommandError(error.textIn('en'), { cause: error })
  throw error
}
