import { createHmac, randomInt } from 'node:crypto'
import type { Clock } from '@tollgate/kit/clock'
import { randomToken } from '@tollgate/kit/ids'
import { replaceCode, takeCode } from '@tollgate/store/accounts/one-time-codes'
import type { Db } from '@tollgate/store/tables/schema'

/** `register`: create an account. `bind`: bind an address to an account. `reset`: set a new password. */
export type CodePurpose = 'register' | 'bind' | 'reset'

/**
 * Codes that prove ownership of an email address. Each is for one purpose and one use and allows a few tries
 * for a few minutes. Only hashes are stored.
 */
export interface OneTimeCodes {
  /** Invalidates an earlier code for the same purpose and subject. */
  make(input: { purpose: CodePurpose; subject: string; form: 'typed' | 'linked' }): Promise<MadeCode>
  /** Consumes the code; false counts as a failed attempt. */
  take(input: { purpose: CodePurpose; subject: string; code: string }): Promise<boolean>
}

export interface MadeCode {
  readonly code: string
  readonly expiresMs: number
}

export const CODE_MINUTES = 10
const LIFETIME_MS = CODE_MINUTES * 60_000
const FAILURES_MAX = 5
/** 32 letters and digits that are hard to confuse: 5 bits each. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
/** 8 characters are 40 bits. */
const TYPED_CHARACTERS = 8

export interface CodeParts {
  readonly store: Db
  readonly clock: Clock
  /** Part of the stored hash, so that a copy of the database is not enough to guess codes. */
  readonly key: Buffer
}

export function openOneTimeCodes({ store, clock, key }: CodeParts): OneTimeCodes {
  const hashOf = (purpose: CodePurpose, subject: string, code: string) =>
    createHmac('sha256', key)
      .update(JSON.stringify([purpose, subject, code]))
      .digest('hex')
  return {
    make: async ({ purpose, subject, form }) => {
      const code = form === 'typed' ? typedCode() : randomToken()
      const nowMs = clock.nowMs()
      const expiresMs = nowMs + LIFETIME_MS
      const codeHash = hashOf(purpose, subject, code)
      await replaceCode(store, { purpose, subject, codeHash, nowMs, expiresMs })
      return { code, expiresMs }
    },
    take: ({ purpose, subject, code }) =>
      takeCode(store, {
        purpose,
        subject,
        codeHash: hashOf(purpose, subject, asMade(purpose, code)),
        nowMs: clock.nowMs(),
        failuresMax: FAILURES_MAX,
      }),
  }
}

function typedCode(): string {
  return Array.from({ length: TYPED_CHARACTERS }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

/**
 * People type codes in lower case and with spaces or dashes, so those are normalised. Tokens from links are
 * compared as they are.
 */
function asMade(purpose: CodePurpose, code: string): string {
  return purpose === 'reset' ? code : code.replace(/[\s-]/g, '').toUpperCase()
}
