import { randomUUID } from 'node:crypto'
import type { redemptionRoutes } from '@tollgate/contract/redemption'
import { problem } from '@tollgate/problems/problem'
import { type NewRedemption, insertRedemptions } from '@tollgate/store/trade/redemptions'
import type { Call, Handler } from '../handler.ts'
import { storeCode } from './code.ts'
import {
  checkDates,
  readCount,
  readCustomKey,
  readCodeEnd,
  readMaxUses,
  readName,
  readQuota,
} from './fields.ts'
import type { RedemptionServices } from './services.ts'

type Create = typeof redemptionRoutes.create

/** Creates all codes or none, with a row in the audit trail: creating quota must not go unnoticed. */
export function createRedemptions(services: RedemptionServices): Handler<Create> {
  return async (call) => {
    const { code, keys } = readCodes(services, call)
    const { name, quota, is_gift, max_uses, valid_from, valid_until } = code
    await services.change(call, {
      action: 'create',
      entity: 'redemption',
      work: async (transaction) => {
        const codes = keys.map((key) => ({ ...code, ...storeCode(key, services.cipher) }))
        if (!(await insertRedemptions(transaction, codes))) throw problem('redemption_key_taken')
      },
      row: {
        entityId: name,
        after: { name, quota, count: keys.length, is_gift, max_uses, valid_from, valid_until },
      },
    })
    return keys
  }
}

function readCodes(
  { clock }: RedemptionServices,
  { body, actor }: Pick<Call<Create>, 'body' | 'actor'>,
): { code: Omit<NewRedemption, 'key_hash' | 'key_sealed'>; keys: string[] } {
  const nowSeconds = Math.floor(clock.nowMs() / 1000)
  const name = readName(body.name)
  const until = readCodeEnd(body, 0) ?? 0
  checkDates({ from: body.valid_from, until }, { from: 0, until: 0 }, nowSeconds)
  const code = {
    user_id: actor.id,
    name,
    quota: readQuota(body.quota),
    created_time: nowSeconds,
    valid_from: body.valid_from,
    valid_until: until,
    is_gift: body.is_gift ? 1 : 0,
    max_uses: readMaxUses(body.is_gift, body.max_uses),
  } as const
  const custom = readCustomKey(body.key)
  if (custom !== undefined) return { code, keys: [custom] }
  return { code, keys: Array.from({ length: readCount(body.count ?? 0) }, newCode) }
}

/** 32 hexadecimal digits, 122 random bits. */
function newCode(): string {
  return randomUUID().replaceAll('-', '')
}
