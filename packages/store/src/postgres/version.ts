import { StoreOpenError } from '../database/errors.ts'

const VERSION_MIN = 14

/** Parses `13.14 (Debian 13.14-0+deb11u1)` or `16beta2`; only the leading number counts. */
export function refuseOld(version: string): void {
  if (Number.parseInt(version, 10) >= VERSION_MIN) return
  throw new StoreOpenError(
    'old_server',
    `PostgreSQL ${VERSION_MIN} or newer is needed, the server is ${version}.`,
  )
}
