import type { IncomingMessage } from 'node:http'
import { CHANNEL_STATUS, TOKEN_STATUS, USER_ROLE, USER_STATUS } from '@tollgate/kit/codes'
import { problem } from '@tollgate/problems/problem'
import type { Snapshots, OwnerEntry, RosterChannel, TokenEntry } from '../../../snapshots/snapshots.ts'
import type { Call } from '../../call.ts'
import { refuseToken } from '../../refused-token.ts'
import type { Caller } from './caller.ts'
import { KeyHashes } from './key-hashes.ts'
import { type PresentedKey, presentedKey } from './key.ts'

export interface AuthenticateApp {
  readonly snapshots: Snapshots
  readonly clientAddress: (request: IncomingMessage) => string
  readonly countWrongKey?: (address: string) => void
  readonly onTokenExpired: (tokenId: number) => void
}

const hashes = new KeyHashes()

/**
 * Authenticates a call with a token. Throws the Problem of the first check that fails, with the token if there is
 * one; the order of the checks is part of the contract.
 */
export function authenticate(
  call: Pick<Call, 'request' | 'startedMs'>,
  path: string,
  app: AuthenticateApp,
): Caller {
  const shown = presentedKey(call.request.headers, path, call.request.url)
  if (shown === undefined) throw problem('token_missing')
  const { token, keyHash, isWhole } = findToken(shown, app.snapshots)
  if (token === undefined) {
    app.countWrongKey?.(app.clientAddress(call.request))
    throw problem('token_invalid')
  }
  const address = app.clientAddress(call.request)
  try {
    checkToken(token, call, app)
    checkOwner(token.owner)
    if (token.addresses !== undefined && !token.addresses.has(address)) throw problem('address_not_allowed')
    // A dash in a key of another system is part of the key.
    const channel = isWhole ? undefined : shown.channel
    const pinned = channel === undefined ? undefined : pin(channel, token.owner, app.snapshots)
    return { owner: token.owner, token, keyHash, pinned, address }
  } catch (error) {
    return refuseToken(error, { token, address })
  }
}

/** A key that is not ours is tried in its second form only while tokens of that form exist. */
function findToken(
  { key, whole }: PresentedKey,
  { keyring }: Pick<Snapshots, 'keyring'>,
): { token: TokenEntry | undefined; keyHash: string; isWhole: boolean } {
  const hash = hashes.of(key)
  const token = keyring.byKeyHash(hash)
  if (token !== undefined) hashes.keep(key, hash)
  if (token !== undefined || !keyring.hasWholeKeys) return { token, keyHash: hash, isWhole: false }
  const wholeHash = hashes.of(whole)
  const wholeToken = keyring.byWholeKeyHash(wholeHash)
  if (wholeToken !== undefined) hashes.keep(whole, wholeHash)
  return { token: wholeToken, keyHash: wholeHash, isWhole: true }
}

export function checkOwner(owner: OwnerEntry): void {
  if (owner.isDeleted || owner.status !== USER_STATUS.enabled) throw problem('user_banned')
}

/** Throws the Problem of a token that is not enabled, or has expired. */
export function checkToken(
  token: TokenEntry,
  call: Pick<Call, 'startedMs'>,
  { onTokenExpired }: Pick<AuthenticateApp, 'onTokenExpired'>,
): void {
  if (token.status === TOKEN_STATUS.exhausted) throw problem('token_exhausted', { preview: token.preview })
  if (token.status === TOKEN_STATUS.expired) throw problem('token_expired')
  if (token.status !== TOKEN_STATUS.enabled) throw problem('token_disabled')
  if (token.expiredTime === -1 || token.expiredTime * 1000 > call.startedMs) return
  onTokenExpired(token.id)
  throw problem('token_expired')
}

function pin(text: string, owner: OwnerEntry, snapshots: Snapshots): RosterChannel {
  if (owner.role < USER_ROLE.admin) throw problem('channel_choice_forbidden')
  const channel = /^\d{1,15}$/.test(text) ? snapshots.roster().channel(Number(text)) : undefined
  if (channel === undefined) throw problem('channel_unknown')
  if (channel.status !== CHANNEL_STATUS.enabled) throw problem('channel_disabled')
  return channel
}
