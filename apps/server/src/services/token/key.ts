import { TOKEN_KEY_CHARACTERS } from '@tollgate/contract/token'
import { randomAlphanumeric, sha256Hex } from '@tollgate/kit/ids'
import type { Cipher } from '@tollgate/kit/cipher'
import type { TokenFilter } from '@tollgate/store/tokens'

/** What is stored of a key: its hash to look it up, a sealed copy for the owner, and its edges to recognise it. */
export interface StoredKey {
  readonly key_hash: string
  readonly key_sealed: string
  readonly key_preview: string
}

const EDGE_CHARACTERS = 3
const PREFIX = 'sk-'

/** 48 alphanumerics, without the `sk-` that callers write before them. */
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

/** A key as somebody wrote it, without `sk-` before it and the channel behind it; `undefined` when there is none. */
export function bareKey(text: string | undefined): string | undefined {
  const key = text?.startsWith(PREFIX) ? text.slice(PREFIX.length) : text
  return key?.split('-', 1)[0] || undefined
}

/** The keys that a search by name finds as well: the whole key, and the preview as lists show it. */
export function keyBesideName(term: string | undefined): Pick<TokenFilter, 'keyBesideName'> {
  const key = bareKey(term)
  return key === undefined ? {} : { keyBesideName: { hash: sha256Hex(key), preview: key } }
}

/**
 * Which keys a search term means. Of a stored key only the edges are known, so a whole key finds its token and a part
 * finds the tokens it could begin or end; one leading `sk-` is not part of the key.
 */
export function keyFilter(term: string | undefined): Pick<TokenFilter, 'keyHash' | 'keyEdges'> {
  const text = term?.startsWith(PREFIX) ? term.slice(PREFIX.length) : term
  if (text === undefined || text === '') return {}
  if (text.length >= TOKEN_KEY_CHARACTERS) return { keyHash: sha256Hex(text) }
  return { keyEdges: { start: text.slice(0, EDGE_CHARACTERS), end: text.slice(-EDGE_CHARACTERS) } }
}
