import type { Egress, HostAndPort } from '@tollgate/egress/egress'
import { openEgress } from '@tollgate/egress/open-egress'
import { sha256Hex } from '@tollgate/kit/ids'
import type { Db } from '@tollgate/store/tables/schema'
import { isUniqueViolation } from '@tollgate/store/database/traits'
import { readWatermark, writeWatermark } from '@tollgate/store/operations/watermarks'
import type { Config } from '../config/index.ts'
import type { ConnectToMailServer } from '../mail/smtp.ts'
import type { Options } from '../services/services.ts'

interface Parts {
  readonly db: Db
  readonly egress: Pick<Egress, 'connection'>
  readonly config: Pick<Config, 'egressAllow'>
  readonly settings: Options
}

const GUARDED = 'mail-destinations-guarded'
const YES = 1

/**
 * Mail servers must be public or listed in EGRESS_ALLOW, like all other destinations. A mail server that was
 * configured before this rule existed keeps working at any address: the first start under the rule records
 * it.
 */
export async function openMailDestinations({
  db,
  egress,
  config,
  settings,
}: Parts): Promise<ConnectToMailServer> {
  await rememberFormer(db, placeIn(settings))
  return async (place) => {
    const isFormer = (await readWatermark(db, markOf(place))) === YES
    return isFormer ? connectToFormer(place, config) : egress.connection(place)
  }
}

async function rememberFormer(db: Db, place: HostAndPort): Promise<void> {
  if ((await readWatermark(db, GUARDED)) === YES) return
  try {
    if (place.host !== '') await writeWatermark(db, { name: markOf(place), position: YES })
    await writeWatermark(db, { name: GUARDED, position: YES })
  } catch (error) {
    // Another gateway that started at the same moment has already written the same row.
    if (!isUniqueViolation(error)) throw error
  }
}

async function connectToFormer({ host, port }: HostAndPort, { egressAllow }: Parts['config']) {
  const entry = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
  const egress = openEgress({ allowedAddresses: [...egressAllow, entry] })
  try {
    return await egress.connection({ host, port })
  } finally {
    // Closing the egress does not close the connection: it has no pool, and the caller owns the connection.
    await egress.close()
  }
}

function placeIn(settings: Options): HostAndPort {
  return { host: settings.get('SMTPServer'), port: settings.get('SMTPPort') }
}

/** Hashed, because a host name may be longer than the table's name column. */
function markOf({ host, port }: HostAndPort): string {
  return `mail-server:${sha256Hex(`${host}:${port}`).slice(0, 32)}`
}
