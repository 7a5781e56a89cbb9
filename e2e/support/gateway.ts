import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openNewStore } from '@tollgate/testkit/new-store'
import { startServer } from '../../apps/server/src/app/index.ts'
import { readConfig } from '../../apps/server/src/config/index.ts'
import { openPasswords } from '../../apps/server/src/services/session/passwords.ts'
import { CHEAP_HASHING, ENVIRONMENT } from '../../apps/server/test/harness.ts'

export interface Gateway {
  readonly url: string
  stop(): Promise<void>
}

/**
 * The real server on a free port, with a data directory that is removed at its end. It runs in the process of
 * the test, where a start takes 0.07 s of CPU time; a process of its own takes 0.85 s.
 */
export async function startGateway(environment: Readonly<Record<string, string>> = {}): Promise<Gateway> {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-e2e-'))
  const sqlitePath = join(directory, 'tollgate.db')
  const config = readConfig({ ...ENVIRONMENT, SQLITE_PATH: sqlitePath, ...environment })
  const server = await startServer(config, {
    passwords: openPasswords(CHEAP_HASHING),
    openStore: (options) => openNewStore({ ...options, inline: {} }),
  })
  return {
    url: server.address,
    async stop() {
      await server.close({ drainMs: 0 })
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
