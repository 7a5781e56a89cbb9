import { TOKEN_STATUS } from '@tollgate/contract/token'
import { sha256Hex } from '@tollgate/kit/ids'
import { problem } from '@tollgate/kit/problem'
import type { Snapshots, TokenEntry } from '../../snapshots/snapshots.ts'

export interface ByKeyServices {
  readonly snapshots: Pick<Snapshots, 'keyring'>
  /** Counts a key that nobody has by address. Throws `too_many_requests`. */
  readonly countWrongKey: (address: string) => void
}

const USER_ENABLED = 1

/**
 * The token of a shown key. One that has ended by itself still says so to whoever asks; one that its owner has disabled says
 * nothing any more, and neither does the token of a banned user.
 */
export function tokenByKey(
  { snapshots, countWrongKey }: ByKeyServices,
  { key, address }: { key: string; address: string },
): TokenEntry {
  const token = snapshots.keyring.byKeyHash(sha256Hex(key))
  if (token === undefined) {
    countWrongKey(address)
    throw problem('token_invalid')
  }
  if (token.status === TOKEN_STATUS.disabled) throw problem('token_disabled')
  if (token.owner.isDeleted || token.owner.status !== USER_ENABLED) throw problem('user_banned')
  if (token.addresses !== undefined && !token.addresses.has(address)) throw problem('address_not_allowed')
  return token
}
