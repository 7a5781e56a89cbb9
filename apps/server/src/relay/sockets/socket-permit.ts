import { CHANNEL_STATUS, USER_ROLE } from '@tollgate/kit/codes'
import { Problem, problem } from '@tollgate/problems/problem'
import type { Clock } from '@tollgate/kit/clock'
import type { OwnerEntry, Snapshots, TokenEntry } from '../../snapshots/snapshots.ts'
import { checkOwner, checkToken } from '../stations/admit/authenticate.ts'
import type { Caller } from '../stations/admit/caller.ts'
import { groupsOf } from '../stations/admit/group.ts'

/** What an open socket of a caller was permitted. */
export interface SocketPermit {
  readonly caller: Caller
  /** Of a realtime session. Where a connection carries many calls, each is checked when it begins. */
  readonly session?: SessionPermit
}

export interface SessionPermit {
  readonly model: string
  readonly group: string
  readonly channelId: number
}

export interface PermitApp {
  readonly snapshots: Snapshots
  readonly clock: Pick<Clock, 'nowMs'>
  readonly onTokenExpired: (tokenId: number) => void
}

/** The Problem because of which the caller could not open the socket now; `undefined` if they could. */
export function findPermitProblem(permit: SocketPermit, app: PermitApp): Problem | undefined {
  try {
    checkPermit(permit, app)
    return undefined
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

/** The caller's token as it is now; `undefined` if it is gone, or has another key. */
export function findCurrentToken({ keyHash }: Caller, { snapshots }: PermitApp): TokenEntry | undefined {
  if (keyHash === undefined) return undefined
  const { keyring } = snapshots
  return keyring.byKeyHash(keyHash) ?? keyring.byWholeKeyHash(keyHash)
}

function checkPermit({ caller, session }: SocketPermit, app: PermitApp): void {
  const { token, owner } = checkCaller(caller, app)
  if (session === undefined) return
  const { model, group, channelId } = session
  if (token?.models !== undefined && !token.models.has(model)) throw problem('model_not_allowed', { model })
  const { snapshots } = app
  if (token !== undefined) {
    const groups = groupsOf({ owner, token }, snapshots.prices(), snapshots.settings().autoGroups)
    if (!groups.includes(group)) throw problem('token_group_disabled', { group })
  }
  // A channel that was disabled automatically may still serve what it has begun.
  const channel = snapshots.roster().channel(channelId)
  if (channel === undefined || channel.status === CHANNEL_STATUS.disabled)
    throw problem('session_channel_off')
}

function checkCaller(caller: Caller, app: PermitApp): { owner: OwnerEntry; token: TokenEntry | undefined } {
  const { snapshots, clock, onTokenExpired } = app
  const token = caller.token && findCurrentToken(caller, app)
  if (caller.token !== undefined && token === undefined) throw problem('token_invalid')
  if (token !== undefined) checkToken(token, { startedMs: clock.nowMs() }, { onTokenExpired })
  const owner = token?.owner ?? snapshots.keyring.owner(caller.owner.id)
  if (owner === undefined) throw problem('user_banned')
  checkOwner(owner)
  if (token?.addresses !== undefined && !token.addresses.has(caller.address))
    throw problem('address_not_allowed')
  if (caller.pinned !== undefined && owner.role < USER_ROLE.admin) throw problem('channel_choice_forbidden')
  return { owner, token }
}
