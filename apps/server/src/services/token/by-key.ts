import { TOKEN_STATUS, USER_STATUS } from '@tollgate/kit/codes'
import { sha256Hex } from '@tollgate/kit/ids'
import { problem } from '@tollgate/problems/problem'
import type { Snapshots, TokenEntry } from '../../snapshots/snapshots.ts'
import type { SentKey } from './key.ts'

export interface ByKeyServices {
  readonly snapshots: Pick<Snapshots, 'keyring'>
  /** Counts an unknown key per client address. Throws `too_many_requests`. */
  readonly countWrongKey: (address: string) => void
}

/**
 * Returns the token of an API key that a caller presents. An expired or exhausted token can still be read
 * this way; a token that its owner has disabled, and one of a banned user, cannot.
 */
export function tokenByKey(
  { snapshots, countWrongKey }: ByKeyServices,
  { sent, address }: { sent: SentKey; address: string },
): TokenEntry {
  const { keyring } = snapshots
  const token =
    keyring.byKeyHash(sha256Hex(sent.key)) ??
    (keyring.hasWholeKeys ? keyring.byWholeKeyHash(sha256Hex(sent.whole)) : undefined)
  if (token === undefined) {
    countWrongKey(address)
    throw problem('token_invalid')
  }
  if (token.status === TOKEN_STATUS.disabled) throw problem('token_disabled')
  if (token.owner.isDeleted || token.owner.status !== USER_STATUS.enabled) throw problem('user_banned')
  if (token.addresses !== undefined && !token.addresses.has(address)) throw problem('address_not_allowed')
  return token
}
