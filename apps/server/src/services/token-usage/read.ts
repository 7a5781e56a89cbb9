import { NEVER_EXPIRES } from '@tollgate/contract/token'
import type { tokenUsageRoutes } from '@tollgate/contract/token-usage'
import { problem } from '@tollgate/problems/problem'
import { accountId } from '@tollgate/ledger/account'
import type { Handler } from '../handler.ts'
import type { Services } from '../services.ts'
import { type ByKeyServices, tokenByKey } from '../token/by-key.ts'
import { splitRest } from '../token/wire.ts'
import { wireQuota } from '../wire-quota.ts'

export type TokenUsageServices = Services & ByKeyServices

export function readTokenUsage(services: TokenUsageServices): Handler<typeof tokenUsageRoutes.read> {
  return async ({ presentedKey: sent, address }) => {
    if (sent === undefined) throw problem('token_missing')
    const token = tokenByKey(services, { sent, address })
    const balance = await services.ledger.balance(accountId('token', token.id))
    const { remaining, reserved, used, debt } = balance ?? NOTHING
    const available = token.isUnlimited ? 0n : remaining - debt
    return {
      object: 'token_usage',
      name: token.name,
      total_granted: wireQuota(token.isUnlimited ? used : available + reserved + used),
      total_used: wireQuota(used),
      total_available: wireQuota(splitRest(available).rest),
      unlimited_quota: token.isUnlimited,
      model_limits: Object.fromEntries([...(token.models ?? [])].map((model) => [model, true])),
      model_limits_enabled: token.models !== undefined,
      expires_at: token.expiredTime === NEVER_EXPIRES ? 0 : token.expiredTime,
    }
  }
}

/** Shown for a token without a ledger account: it never had quota. */
const NOTHING = { remaining: 0n, reserved: 0n, used: 0n, debt: 0n }
