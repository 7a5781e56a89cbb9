import process from 'node:process'
import { openCipher } from '@tollgate/kit/cipher'
import { encryptStoredChannels } from '../../src/channels/encrypt-channels.ts'
import { openStore } from '../../src/database/open-store.ts'

/** Encrypts the channels of a file and kills itself before the statement with the given number. */

const [, , sqlitePath = '', number = ''] = process.argv
let isArmed = false
let statements = 0
const before = () => {
  if (isArmed && ++statements === Number(number)) process.kill(process.pid, 'SIGKILL')
}
const store = await openStore({ sqlitePath, inline: { before } })
isArmed = true
await encryptStoredChannels(store.db, { cipher: openCipher(Buffer.alloc(32, 7)), path: sqlitePath })
isArmed = false
await store.close()
