import type { Egress, HostAndPort } from '@tollgate/egress/egress'
import { openEgress } from '@tollgate/egress/open-egress'
import { sha256Hex } from '@tollgate/kit/ids'
import type { Database } from '@tollgate/store/schema'
import { isUniqueViolation } from '@tollgate/store/traits'
import { readWatermark, writeWatermark } from '@tollgate/store/watermarks'
import type { Kysely } from 'kysely'
import type { Config } from '../config.ts'
import type { ConnectToMailServer } from '../mail/smtp.ts'
import type { Options } from '../services/services.ts'

interface Parts {
  readonly db: Kysely<Database>
  readonly egress: Pick<Egress, 'connection'>
  readonly config: Pick<Config, 'egressAllow'>
  readonly settings: Options
}

const GUARDED = 'mail-destinations-guarded'
const YES = 1

/**
 * Mail servers are destinations like all others: public, or listed in EGRESS_ALLOW. One that was set before this rule
 * existed goes on working wherever it is: the first start under the rule remembers it.
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

async function rememberFormer(db: Kysely<Database>, place: HostAndPort): Promise<void> {
  if ((await readWatermark(db, GUARDED)) === YES) return
  try {
    if (place.host !== '') await writeWatermark(db, { name: markOf(place), position: YES })
    await writeWatermark(db, { name: GUARDED, position: YES })
  } catch (error) {
    // Another gateway that starts at the same moment wrote the same.
    if (!isUniqueViolation(error)) throw error
  }
}

async function connectToFormer({ host, port }: HostAndPort, { egressAllow }: Parts['config']) {
  const entry = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
  const egress = openEgress({ allowedAddresses: [...egressAllow, entry] })
  try {
    return await egress.connection({ host, port })
  } finally {
    // It has no pool open; the connection is its caller's.
    await egress.close()
  }
}

function placeIn(settings: Options): HostAndPort {
  return { host: settings.get('SMTPServer'), port: settings.get('SMTPPort') }
}

/** Hashed, because a host may be longer than a name in the table. */
function markOf({ host, port }: HostAndPort): string {
  return `mail-server:${sha256Hex(`${host}:${port}`).slice(0, 32)}`
}
