import type { Cipher } from '@tollgate/kit/cipher'
import { encryptStoredChannels } from '@tollgate/store/channels/encrypt-channels'
import type { Db } from '@tollgate/store/tables/schema'
import type { Logger } from 'pino'

interface Parts {
  readonly db: Db
  readonly cipher: Cipher
  readonly path: string
  readonly log: Logger
}

const REMAINDER =
  'header rules and proxy logins of channels are encrypted now; unused parts of the database file may still hold them as ' +
  'they were: stop the gateway and run VACUUM on the file once, or replace those credentials'

/** Encrypts channel fields that versions before this one stored in clear. Runs before anything reads them. */
export async function encryptChannels({ db, cipher, path, log }: Parts): Promise<void> {
  const { encrypted, file } = await encryptStoredChannels(db, { cipher, path })
  if (encrypted > 0)
    log.info(
      { channels: encrypted },
      'encrypted the header rules and proxy addresses that channels stored in clear',
    )
  if (file === 'busy')
    log.warn(
      'another program has the database open; remains of the unencrypted values are removed from the file at the next start',
    )
  if (file === 'large' || file === 'no-room') log.warn({ reason: file }, REMAINDER)
}
