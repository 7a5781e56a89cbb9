import { createHmac } from 'node:crypto'
import type { Clock } from '@tollgate/kit/clock'
import { LOG_TYPE, USER_STATUS } from '@tollgate/kit/codes'
import { randomToken, sha256Hex } from '@tollgate/kit/ids'
import type { Db } from '@tollgate/store/tables/schema'
import { findSession, insertSession, removeSession, touchSession } from '@tollgate/store/accounts/sessions'
import { findUserByAccessToken } from '@tollgate/store/accounts/users'
import type { Identities, Identity, NewSession, SignInProof } from '../../edge/access.ts'
import { writeLog } from '../log/write.ts'
import type { KnownNetworks } from './known-networks.ts'

const DAY_MS = 86_400_000
/** Counted from sign-in and not from the last use, so that every session ends. */
const LIFETIME_MS = 30 * DAY_MS
const SEEN_EVERY_MS = 300_000

export interface IdentityParts {
  readonly store: Db
  readonly clock: Clock
  readonly networks: KnownNetworks
  /** Part of the stored hash, so that a copy of the database is not enough to open a session. */
  readonly sessionKey: Buffer
}

/** Looks up sessions and access tokens in the store at each call. */
export function openIdentities({ store, clock, networks, sessionKey }: IdentityParts): Identities {
  const hashOf = (sessionId: string) => createHmac('sha256', sessionKey).update(sessionId).digest('hex')
  return {
    bySession: async (sessionId) => {
      const idHash = hashOf(sessionId)
      const nowMs = clock.nowMs()
      const row = await findSession(store, { idHash, nowMs })
      if (row && nowMs - row.seen_ms > SEEN_EVERY_MS) await touchSession(store, { idHash, nowMs })
      return (
        row && { ...identity(row, { provenMs: row.proven_ms, provenBy: row.proven_by }), sessionHash: idHash }
      )
    },
    byAccessToken: async (token) => {
      const row = await findUserByAccessToken(store, sha256Hex(token))
      return row && identity(row, NOTHING_PROVEN)
    },
    startSession: async ({ userId, address, userAgent, replaces, signIn }) => {
      if (replaces !== undefined) await removeSession(store, hashOf(replaces))
      const id = randomToken()
      const nowMs = clock.nowMs()
      await insertSession(store, {
        id_hash: hashOf(id),
        user_id: userId,
        created_ms: nowMs,
        seen_ms: nowMs,
        expires_ms: nowMs + LIFETIME_MS,
        ...proofColumns(signIn, nowMs),
        address,
        user_agent: userAgent,
      })
      if ('way' in signIn) {
        await networks.add(userId, address)
        await noteSignIn({ store, clock }, { userId, address, userAgent, way: signIn.way })
      }
      return { id, lifetimeMs: LIFETIME_MS }
    },
    endSession: (sessionId) => removeSession(store, hashOf(sessionId)),
  }
}

const NOTHING_PROVEN: SignInProof = { provenMs: 0, provenBy: '' }

function proofColumns(signIn: NewSession['signIn'], nowMs: number) {
  if ('way' in signIn) return { proven_ms: nowMs, proven_by: signIn.way }
  return { proven_ms: signIn.proof.provenMs, proven_by: signIn.proof.provenBy }
}

interface SignIn {
  readonly userId: number
  readonly address: string
  readonly userAgent: string
  readonly way: string
}

/** Users see their own sign-ins, so that they notice a foreign one. */
function noteSignIn(
  parts: Pick<IdentityParts, 'store' | 'clock'>,
  { userId, address, userAgent, way }: SignIn,
): Promise<void> {
  return writeLog(parts, {
    userId,
    type: LOG_TYPE.signIn,
    event: { event: 'sign_in', way },
    more: { user_agent: userAgent },
    address,
  })
}

interface IdentityRow {
  readonly id: number
  readonly username: string
  readonly role: number
  readonly status: number
  readonly group_name: string
  readonly has_default_password: number
}

function identity(row: IdentityRow, proof: SignInProof): Identity {
  const { id, username, role, status, group_name: group } = row
  const hasDefaultPassword = row.has_default_password === 1
  return {
    id,
    username,
    role,
    isEnabled: status === USER_STATUS.enabled,
    hasDefaultPassword,
    group,
    ...proof,
  }
}
