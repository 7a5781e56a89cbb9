import { TOKEN_STATUS } from '@tollgate/kit/codes'
import { insertToken } from '@tollgate/store/accounts/tokens'
import { newKey, storeKey } from '../token/key.ts'
import { changeQuota } from '../token/quota.ts'
import type { SessionServices } from './services.ts'

const NEVER = -1

/**
 * Creates the API token that a new user finds in their list. It is unlimited, so that the user's balance
 * alone limits it.
 */
export async function makeDefaultToken(
  { store, ledger, cipher, clock }: SessionServices,
  { ownerId, username }: { ownerId: number; username: string },
): Promise<void> {
  const id = await insertToken(store, {
    ...storeKey(newKey(), cipher),
    user_id: ownerId,
    name: `${username}的初始令牌`,
    status: TOKEN_STATUS.enabled,
    created_time: Math.floor(clock.nowMs() / 1000),
    expired_time: NEVER,
    unlimited_quota: 1,
    model_limits_enabled: 0,
    model_limits: '',
    allow_ips: '',
    group_name: '',
  })
  const change = { delta: 0n, unlimited: true }
  await changeQuota(ledger, { tokenId: id, change, note: 'new token', key: `token:new:${id}` })
}
