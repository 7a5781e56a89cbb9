import { invariant } from '@tollgate/kit/invariant'

/** Keys of entries. A unique column over them is what makes every operation happen at most once (I5). */
export const consumeKey = (requestId: string): string => `consume:${requestId}`
export const correctionKey = (requestId: string): string => `correction:${requestId}`
export const refundKey = (taskId: string): string => `refund:${taskId}`
/** Marks the call itself, so that it is refunded for one task only. */
export const refundedCallKey = (requestId: string): string => `refunded:${requestId}`
export const adjustKey = (key: string): string => `adjust:${key}`
export const transferOutKey = (key: string): string => `transfer:${key}`
/** Beside the grant of an opened account, which has the caller's own key. */
export const openingUseKey = (key: string): string => `opening:${key}`
export const transferInKey = (key: string): string => `transferred:${key}`

const RESERVED = /^(consume|correction|refund|refunded|adjust|transfer|transferred|opening):/

/** Credits bring their own key, for example `gift:new:7`. */
export function creditKey(key: string): string {
  invariant(key !== '' && key.length <= 180 && !RESERVED.test(key), 'a credit key names its own kind')
  return key
}
