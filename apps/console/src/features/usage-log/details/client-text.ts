import type { CallRow } from '../table/call-row.ts'

/** The program that made the call, such as `claude-code 2.1.330`; `undefined` where it is not known. */
export function clientText({ client, client_version: version }: CallRow): string | undefined {
  if (client === '' || client === 'other') return undefined
  return version === '' ? client : `${client} ${version}`
}
