import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { isCostlyPassword } from '@tollgate/kit/password-cost'

/** Argon2's cost; `memoryCost` in KiB. */
export interface Argon2Cost {
  readonly memoryCost: number
  readonly timeCost: number
  readonly parallelism: number
}

const derive = promisify(argon2)

const SALT_BYTES = 16
const TAG_BYTES = 32

/** The text form of the Argon2 reference implementation, version 1.3. */
const STORED =
  /^\$(argon2id|argon2i|argon2d)\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{16,86})$/

/** Hashes with Argon2id and a new salt. */
export async function hashArgon2(password: string, cost: Argon2Cost): Promise<string> {
  const nonce = randomBytes(SALT_BYTES)
  const tag = await derive('argon2id', {
    ...parametersOf(cost),
    message: password,
    nonce,
    tagLength: TAG_BYTES,
  })
  return `${argon2Mark(cost)}${textOf(nonce)}$${textOf(tag)}`
}

/** How every hash of this cost begins. */
export function argon2Mark({ memoryCost, timeCost, parallelism }: Argon2Cost): string {
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`
}

/** False for a wrong password, and for a hash that is damaged or beyond any sensible cost. */
export async function verifyArgon2(password: string, stored: string): Promise<boolean> {
  const [, variant, memory, time, lanes, salt = '', expected = ''] = STORED.exec(stored) ?? []
  const cost = { memoryCost: Number(memory), timeCost: Number(time), parallelism: Number(lanes) }
  if (!isVariant(variant) || !isSensible(cost) || isCostlyPassword(stored)) return false
  const tag = Buffer.from(expected, 'base64')
  const nonce = Buffer.from(salt, 'base64')
  const found = await derive(variant, {
    ...parametersOf(cost),
    message: password,
    nonce,
    tagLength: tag.length,
  })
  return timingSafeEqual(found, tag)
}

function parametersOf({ memoryCost, timeCost, parallelism }: Argon2Cost) {
  return { memory: memoryCost, passes: timeCost, parallelism }
}

/** Argon2 itself demands eight blocks of 1 KiB for each lane. */
function isSensible({ memoryCost, timeCost, parallelism }: Argon2Cost): boolean {
  return parallelism >= 1 && timeCost >= 1 && memoryCost >= 8 * parallelism
}

function isVariant(text: string | undefined): text is 'argon2id' | 'argon2i' | 'argon2d' {
  return text !== undefined
}

function textOf(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
