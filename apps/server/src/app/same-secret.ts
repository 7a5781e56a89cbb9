import type { Cipher } from '@tollgate/kit/cipher'
import type { Db } from '@tollgate/store/tables/schema'
import { type EncryptedSample, listEncryptedSamples } from '@tollgate/store/channels/encrypted-samples'

/**
 * The stored secrets were encrypted with another CRYPTO_SECRET. The message is a sentence for the operator.
 */
export class OtherSecretError extends Error {
  override readonly name = 'OtherSecretError'
}

/**
 * Rejects a database whose stored secrets cannot be decrypted with the current key: with a wrong key every
 * channel would fail, and new secrets would be stored beside old ones under different keys. Reads only. One
 * secret that decrypts is enough, because another may be damaged.
 */
export async function requireSameSecret(db: Db, cipher: Cipher): Promise<void> {
  const samples = await listEncryptedSamples(db)
  if (samples.length === 0 || samples.some((sample) => isOpened(cipher, sample))) return
  throw new OtherSecretError(
    'CRYPTO_SECRET is not the one this database was used with: none of its stored keys can be opened.\n' +
      'Set the former CRYPTO_SECRET, or put the former secrets.json back beside the database. Nothing was changed.',
  )
}

function isOpened(cipher: Cipher, { sealed, context }: EncryptedSample): boolean {
  try {
    cipher.decrypt(sealed, context)
    return true
  } catch {
    return false
  }
}
