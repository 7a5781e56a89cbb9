import { invariant } from '@tollgate/kit/invariant'

/** Operation keys of entries. A unique index over them makes every operation apply at most once. */
export const consumeKey = (requestId: string): string => `consume:${requestId}`
export const correctionKey = (requestId: string): string => `correction:${requestId}`
export const refundKey = (taskId: string): string => `refund:${taskId}`
/** Marks a call as refunded, so that it is refunded for one task only. */
export const refundedCallKey = (requestId: string): string => `refunded:${requestId}`
export const adjustKey = (key: string): string => `adjust:${key}`
export const transferOutKey = (key: string): string => `transfer:${key}`
/** Key of the opening's consume entry. The grant of the opened account has the caller's own key. */
export const openingUseKey = (key: string): string => `opening:${key}`
export const transferInKey = (key: string): string => `transferred:${key}`

const RESERVED = /^(consume|correction|refund|refunded|adjust|transfer|transferred|opening):/

/** The caller supplies the key of a credit, for example `gift:new:7`. */
export function creditKey(key: string): string {
  invariant(key !== '' && key.length <= 180 && !RESERVED.test(key), 'a credit key names its own kind')
  return key
}
