import type { accountRoutes } from '@tollgate/contract/account'
import { randomToken } from '@tollgate/kit/ids'
import { problem } from '@tollgate/problems/problem'
import { accountId } from '@tollgate/ledger/account'
import { setAffCode } from '@tollgate/store/accounts/user-changes'
import { plainCurrencyText } from '../amount-text.ts'
import { Answer, type Handler } from '../handler.ts'
import { newAffCode } from '../session/create-account.ts'
import type { AccountServices } from './services.ts'

/**
 * An account created without an invitation code, such as the first super admin, gets one at the first
 * request.
 */
export function getAffCode({ store }: AccountServices): Handler<typeof accountRoutes.affCode> {
  return ({ actor }) => setAffCode(store, { id: actor.id, code: newAffCode() })
}

/** One ledger operation: the amount moves from the earnings to the balance, or nothing happens. */
export function transferEarnings(services: AccountServices): Handler<typeof accountRoutes.affTransfer> {
  const { ledger, options } = services
  return async ({ actor, body, language }) => {
    const min = options.get('QuotaPerUnit')
    if (body.quota < min)
      throw problem('transfer_too_small', { min: plainCurrencyText(options, BigInt(min)) })
    const result = await ledger.transfer({
      key: `aff:${actor.id}:${body.operation_key ?? randomToken(16)}`,
      from: accountId('affiliate', actor.id),
      to: accountId('user', actor.id),
      amount: BigInt(body.quota),
    })
    if (result.type === 'conflict') throw problem('operation_key_used')
    if (result.type === 'refused')
      throw problem('transfer_refused', { remaining: plainCurrencyText(options, result.remaining) })
    return new Answer({ data: null, message: language === 'zh' ? '划转成功' : 'Transferred' })
  }
}
