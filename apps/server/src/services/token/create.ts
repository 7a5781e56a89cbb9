import { NEVER_EXPIRES, TOKEN_STATUS, type tokenRoutes } from '@tollgate/contract/token'
import { problem } from '@tollgate/kit/problem'
import { type NewToken, countTokens, insertToken, removeToken } from '@tollgate/store/accounts/tokens'
import type { Handler } from '../handler.ts'
import { readFields } from './fields.ts'
import { newKey, storeKey } from './key.ts'
import { NO_BUDGET } from './limits.ts'
import { changeQuota, quotaChange } from './quota.ts'
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
  const { store, cipher, clock, snapshots, notices, audit } = services
  return async ({ actor, body, address }) => {
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
    const id = await insertToken(store, token)
    await openAccount(services, { id, ownerId: actor.id, quota: quota ?? { delta: 0n } })
    await audit.write({
      actorId: actor.id,
      action: 'create',
      entity: 'token',
      entityId: id,
      after: body,
      address,
    })
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
  { store, ledger, clock }: TokenServices,
  input: { id: number; ownerId: number; quota: NonNullable<ReturnType<typeof quotaChange>> },
): Promise<void> {
  const { id, ownerId, quota } = input
  try {
    await changeQuota(ledger, { tokenId: id, change: quota, note: 'new token', key: `token:${id}:new` })
  } catch (error) {
    await removeToken(store, { id, ownerId, nowMs: clock.nowMs() })
    throw error
  }
}
