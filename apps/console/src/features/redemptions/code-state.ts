import { type Redemption, UNLIMITED_USES } from '@tollgate/contract/redemption'
import { REDEMPTION_STATUS } from '@tollgate/kit/codes'
import type { Tone } from '../../shared/status/status.tsx'

export type CodeState = 'unused' | 'disabled' | 'used' | 'gone' | 'expired' | 'early'

/** The current state of a code, which depends on its status, its dates and its uses. */
export function codeState(code: Redemption, nowSeconds: number): CodeState {
  if (code.status === REDEMPTION_STATUS.disabled) return 'disabled'
  if (isGone(code)) return 'gone'
  if (code.status === REDEMPTION_STATUS.used) return 'used'
  if (code.valid_until > 0 && code.valid_until < nowSeconds) return 'expired'
  return code.valid_from > nowSeconds ? 'early' : 'unused'
}

export const codeTones: Readonly<Record<CodeState, Tone>> = {
  unused: 'ok',
  early: 'look',
  disabled: 'idle',
  used: 'idle',
  gone: 'idle',
  expired: 'look',
}

/** Whether a gift code has been redeemed the maximum number of times. */
function isGone({ is_gift, max_uses, used_count }: Redemption): boolean {
  return is_gift && max_uses !== UNLIMITED_USES && used_count >= max_uses
}

/** The format that consoles of new-api copy: name, four spaces, code. */
export function codeLines(codes: readonly Redemption[]): string {
  return codes.map(({ name, key }) => `${name}    ${key}`).join('\n')
}
