import { TOKEN_KEY_CHARACTERS } from '@tollgate/contract/token'
import { randomAlphanumeric, sha256Hex } from '@tollgate/kit/ids'
import type { Cipher } from '@tollgate/kit/cipher'
import type { TokenFilter } from '@tollgate/store/accounts/tokens'

/**
 * The stored form of a key: a hash for lookups, an encrypted copy for the owner, and a preview to recognise
 * it by.
 */
export interface StoredKey {
  readonly key_hash: string
  readonly key_sealed: string
  readonly key_preview: string
}

const EDGE_CHARACTERS = 3
const PREFIX = 'sk-'

/** 48 alphanumeric characters, without the `sk-` that callers prepend. */
export function newKey(): string {
  return randomAlphanumeric(TOKEN_KEY_CHARACTERS)
}

export function storeKey(key: string, cipher: Cipher): StoredKey {
  const keyHash = sha256Hex(key)
  return {
    key_hash: keyHash,
    key_sealed: cipher.encrypt(key, sealContext(keyHash)),
    key_preview: `${key.slice(0, EDGE_CHARACTERS)}***${key.slice(-EDGE_CHARACTERS)}`,
  }
}

export function openKey(stored: Pick<StoredKey, 'key_hash' | 'key_sealed'>, cipher: Cipher): string {
  return cipher.decrypt(stored.key_sealed, sealContext(stored.key_hash))
}

function sealContext(keyHash: string): string {
  return `token:${keyHash}`
}

/**
 * Strips the leading `sk-` and a trailing channel id from a key as a caller wrote it; `undefined` when
 * nothing is left.
 */
export function bareKey(text: string | undefined): string | undefined {
  const key = text?.startsWith(PREFIX) ? text.slice(PREFIX.length) : text
  return key?.split('-', 1)[0] || undefined
}

/** A key as a caller wrote it: ours without `sk-` and a channel, and everything, for keys of another system. */
export interface SentKey {
  readonly key: string
  readonly whole: string
}

export function readSentKey(text: string | undefined): SentKey | undefined {
  const key = bareKey(text)
  return key === undefined || text === undefined ? undefined : { key, whole: text }
}

/** The hashes under which a token with this key may be stored. */
export function hashForms({ key, whole }: SentKey): readonly string[] {
  return [sha256Hex(key), sha256Hex(whole)]
}

/** Lets a search by name also find a token by its complete key or by its preview as lists show it. */
export function keyOrName(term: string | undefined): Pick<TokenFilter, 'keyOrName'> {
  const key = bareKey(term)
  return key === undefined ? {} : { keyOrName: { hash: sha256Hex(key), preview: key } }
}

/**
 * Converts a search term into a key filter. Only the edges of a stored key are known, so a complete key finds
 * its token, and a part finds the tokens whose key could begin or end with it. One leading `sk-` is ignored.
 */
export function keyFilter(term: string | undefined): Pick<TokenFilter, 'keyHash' | 'keyEdges'> {
  const text = term?.startsWith(PREFIX) ? term.slice(PREFIX.length) : term
  if (text === undefined || text === '') return {}
  if (text.length >= TOKEN_KEY_CHARACTERS) return { keyHash: sha256Hex(text) }
  return { keyEdges: { start: text.slice(0, EDGE_CHARACTERS), end: text.slice(-EDGE_CHARACTERS) } }
}
