import { type Redemption, REDEMPTION_STATUS, UNLIMITED_USES } from '@tollgate/contract/redemption'
import type { Tone } from '../../shared/status/status.tsx'

export type CodeState = 'unused' | 'disabled' | 'used' | 'gone' | 'expired' | 'early'

/** What a code is good for at this moment: beside its status its dates and its uses count. */
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

/** A gift that has been had as often as it may be. */
function isGone({ is_gift, max_uses, used_count }: Redemption): boolean {
  return is_gift && max_uses !== UNLIMITED_USES && used_count >= max_uses
}

/** As the family copies them: name, four spaces, code. */
export function codeLines(codes: readonly Redemption[]): string {
  return codes.map(({ name, key }) => `${name}    ${key}`).join('\n')
}
