import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { invariant } from './invariant.ts'

/**
 * Encrypts secrets for storage. `context` names the place of the secret, for example `channel:7`; a
 * ciphertext copied to another place does not decrypt.
 */
export interface Cipher {
  encrypt(text: string, context: string): string
  /** Decrypts. Throws when the text was encrypted with another key or context, or was changed. */
  decrypt(sealed: string, context: string): string
  /**
   * Authenticates a text: a keyed MAC of 192 bits as base64url, which only the holder of the key can compute.
   */
  mark(text: string, context: string): string
}

const VERSION = 'v1'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const OPTIONS = { authTagLength: TAG_BYTES }

/**
 * AES-256-GCM with a random nonce. The text form is `v1.` followed by base64url of nonce, tag and ciphertext.
 */
export function openCipher(key: Buffer): Cipher {
  invariant(key.length === KEY_BYTES, 'a sealing key has 32 bytes')
  return {
    encrypt: (text, context) => encryptWith(key, text, context),
    decrypt: (sealed, context) => decryptWith(key, sealed, context),
    mark: (text, context) => markWith(key, text, context),
  }
}

function encryptWith(key: Buffer, text: string, context: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, OPTIONS).setAAD(Buffer.from(context))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
}

function decryptWith(key: Buffer, sealed: string, context: string): string {
  const [version, encoded = ''] = sealed.split('.')
  invariant(version === VERSION, 'a sealed text begins with its version')
  const bytes = Buffer.from(encoded, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), OPTIONS)
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  const body = bytes.subarray(NONCE_BYTES + TAG_BYTES)
  return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
}

const MARK_CHARACTERS = 32

/** HMAC with a key derived per context, so that a MAC of one context is not valid in another. */
function markWith(key: Buffer, text: string, context: string): string {
  const own = createHmac('sha256', key).update(`mark:${context}`).digest()
  return createHmac('sha256', own).update(text).digest('base64url').slice(0, MARK_CHARACTERS)
}
