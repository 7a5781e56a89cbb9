import { createHmac, randomInt } from 'node:crypto'
import type { Clock } from '@tollgate/kit/clock'
import { randomToken } from '@tollgate/kit/ids'
import { replaceCode, takeCode } from '@tollgate/store/one-time-codes'
import type { Database } from '@tollgate/store/schema'
import type { Kysely } from 'kysely'

/** `register`: a new account; `bind`: an address for an account; `reset`: a new password. */
export type CodePurpose = 'register' | 'bind' | 'reset'

/** Codes that prove an address: for one purpose, one use, a few tries and a few minutes. Only hashes are kept. */
export interface OneTimeCodes {
  /** Ends an earlier code for the same purpose and subject. */
  make(input: { purpose: CodePurpose; subject: string; form: 'typed' | 'linked' }): Promise<MadeCode>
  /** Uses the code up; false counts as a failed try. */
  take(input: { purpose: CodePurpose; subject: string; code: string }): Promise<boolean>
}

export interface MadeCode {
  readonly code: string
  readonly expiresMs: number
}

export const CODE_MINUTES = 10
const LIFETIME_MS = CODE_MINUTES * 60_000
const FAILURES_MAX = 5
/** 32 letters and digits that are hard to take for one another: 5 bits each. */
const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
/** 40 bits. */
const TYPED_CHARACTERS = 8

export interface CodeParts {
  readonly store: Kysely<Database>
  readonly clock: Clock
  /** Goes into the stored hash, so that a copied database alone tells no code. */
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

/** People type codes in lower case, and with blanks or dashes. Tokens of links are taken as they are. */
function asMade(purpose: CodePurpose, code: string): string {
  return purpose === 'reset' ? code : code.replace(/[\s-]/g, '').toUpperCase()
}
