import { type ServerName, SERVERS } from '../../../scripts/servers/list.mjs'

/** The address of a server that tests share: that of its variable, or the usual one. */
export function readServerAddress(name: ServerName): string {
  const { label, variable = '', usual } = SERVERS[name]
  const address = process.env[variable] ?? usual
  if (address === undefined) throw new Error(`Tests share no ${label}.`)
  return address
}

/** Whether the tests are only counted, as if this server answered. */
export function isCounted(name: ServerName): boolean {
  return readNames('TOLLGATE_SERVERS_COUNTED').includes(name)
}

/**
 * Prints that the tests of a server are skipped. Throws instead when TOLLGATE_REQUIRE_SERVERS is set, unless the run
 * has left the server out and states that itself.
 */
export function reportMissing(name: ServerName, cause?: unknown): void {
  if (readNames('TOLLGATE_SERVERS_LEFT_OUT').includes(name)) return
  const { label, variable } = SERVERS[name]
  const place =
    variable === undefined ? 'here' : `at ${new URL(readServerAddress(name)).host} (set ${variable})`
  const text = `no ${label} ${place}: its tests are SKIPPED`
  if (process.env['TOLLGATE_REQUIRE_SERVERS']) throw new Error(text, { cause })
  process.stderr.write(`\n!!! ${text}\n\n`)
}

function readNames(variable: string): readonly string[] {
  return (process.env[variable] ?? '').split(' ')
}
