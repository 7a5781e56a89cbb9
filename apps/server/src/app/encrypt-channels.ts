import type { Cipher } from '@tollgate/kit/cipher'
import { encryptStoredChannels } from '@tollgate/store/encrypt-channels'
import type { Database } from '@tollgate/store/schema'
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'

interface Parts {
  readonly db: Kysely<Database>
  readonly cipher: Cipher
  /** The embedded database's file. */
  readonly path: string
  readonly log: Logger
}

const REMAINDER =
  'header rules and proxy logins of channels are encrypted now; unused parts of the database file may still hold them as ' +
  'they were: stop the gateway and run VACUUM on the file once, or replace those credentials'

/** Encrypts what channels stored in clear before this version, before anything reads them. */
export async function encryptChannels({ db, cipher, path, log }: Parts): Promise<void> {
  const { encrypted, file } = await encryptStoredChannels(db, { cipher, path })
  if (encrypted > 0) log.info({ channels: encrypted }, 'header rules and proxies of channels were encrypted')
  if (file === 'busy') log.warn('another program reads the database: its file is cleaned at the next start')
  if (file === 'large' || file === 'no-room') log.warn({ reason: file }, REMAINDER)
}
