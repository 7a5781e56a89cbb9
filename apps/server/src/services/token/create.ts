import { NEVER_EXPIRES, type tokenRoutes } from '@tollgate/contract/token'
import { TOKEN_STATUS } from '@tollgate/kit/codes'
import { problem } from '@tollgate/problems/problem'
import { type NewToken, countTokens, insertToken } from '@tollgate/store/accounts/tokens'
import type { ChangedBy } from '../change.ts'
import type { Handler } from '../handler.ts'
import { readFields } from './fields.ts'
import { newKey, storeKey } from './key.ts'
import { NO_BUDGET } from './limits.ts'
import { changeQuota, quotaChange } from './quota.ts'
import { removeTokens } from './remove.ts'
import type { TokenServices } from './services.ts'

const TOKENS_PER_USER_MAX = 1000
const NO_LIMITS = {
  group: '',
  groupOrder: '',
  isLimited: false,
  models: '',
  expiry: NEVER_EXPIRES,
  ...NO_BUDGET,
}

/** The response contains the key. This is the only time a key is shown without an extra request. */
export function createToken(services: TokenServices): Handler<typeof tokenRoutes.create> {
  const { cipher, clock, snapshots, notices } = services
  return async (call) => {
    const { actor, body } = call
    const nowSeconds = Math.floor(clock.nowMs() / 1000)
    const change = readFields(body, { snapshots, ownGroup: actor.group, stored: NO_LIMITS, nowSeconds })
    const quota = quotaChange(
      { remainQuota: body.remain_quota ?? 0, isUnlimited: body.unlimited_quota },
      { available: 0n, isUnlimited: false },
    )
    await refuseTooMany(services, actor.id)
    const key = newKey()
    const token: NewToken = {
      ...defaults,
      ...change,
      ...storeKey(key, cipher),
      user_id: actor.id,
      created_time: nowSeconds,
    }
    const id = await services.change(call, {
      action: 'create',
      entity: 'token',
      work: (transaction) => insertToken(transaction, token),
      row: (newId) => ({ entityId: newId, after: body }),
    })
    await openAccount(services, { id, by: call, quota: quota ?? { delta: 0n } })
    await notices.publish('tokens', id)
    return { id, key }
  }
}

const defaults = {
  name: '',
  status: TOKEN_STATUS.enabled,
  expired_time: NEVER_EXPIRES,
  unlimited_quota: 0,
  model_limits_enabled: 0,
  model_limits: '',
  allow_ips: '',
  group_name: '',
} as const

async function refuseTooMany({ store }: TokenServices, ownerId: number): Promise<void> {
  if ((await countTokens(store, { ownerId })) >= TOKENS_PER_USER_MAX) {
    throw problem('token_count_reached', { max: TOKENS_PER_USER_MAX })
  }
}

/**
 * The row is inserted first, because the account contains its id. In between, the token has no quota and can
 * spend nothing.
 */
async function openAccount(
  services: TokenServices,
  input: { id: number; by: ChangedBy; quota: NonNullable<ReturnType<typeof quotaChange>> },
): Promise<void> {
  const { id, by, quota } = input
  try {
    await changeQuota(services.ledger, {
      tokenId: id,
      change: quota,
      note: 'new token',
      key: `token:${id}:new`,
    })
  } catch (error) {
    await removeTokens(services, by, [id])
    throw error
  }
}
