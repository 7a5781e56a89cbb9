import { sha256Hex } from '@tollgate/kit/ids'
import type { Cipher } from '@tollgate/kit/cipher'

/** What is stored of a redemption code: a hash for lookups, and an encrypted copy for operators. */
export interface StoredCode {
  readonly key_hash: string
  readonly key_sealed: string
}

export function storeCode(code: string, cipher: Cipher): StoredCode {
  const keyHash = sha256Hex(code)
  return { key_hash: keyHash, key_sealed: cipher.encrypt(code, sealContext(keyHash)) }
}

export function openCode(stored: StoredCode, cipher: Cipher): string {
  return cipher.decrypt(stored.key_sealed, sealContext(stored.key_hash))
}

function sealContext(keyHash: string): string {
  return `redemption:${keyHash}`
}
