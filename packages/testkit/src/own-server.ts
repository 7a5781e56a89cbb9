import type { ServerName } from '../../../scripts/servers/list.mjs'
import { type StartedServer, findVariant, startServer } from '../../../scripts/servers/start.mjs'
import { isCounted, reportMissing } from './missing-servers.ts'

/** A server for the tests of one file, which starts it before its first test and stops it after its last. */
export interface OwnServer {
  readonly start: () => Promise<StartedServer>
}

/**
 * Where the program of the server is not installed, its tests are skipped with a warning on the console, or the run
 * fails when TOLLGATE_REQUIRE_SERVERS is set.
 */
export function findOwnServer(name: ServerName): OwnServer | undefined {
  if (isCounted(name) || findVariant(name)) return { start: () => startServer(name) }
  reportMissing(name)
  return undefined
}
