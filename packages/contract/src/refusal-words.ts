/** Why a token's calls were refused, in a few words that follow a number of calls. */
const words: Readonly<Record<string, { readonly en: string; readonly zh: string }>> = {
  token_exhausted: { en: 'used up', zh: '额度已用尽' },
  token_expired: { en: 'expired', zh: '已过期' },
  token_disabled: { en: 'disabled', zh: '已禁用' },
  user_banned: { en: 'account disabled', zh: '账户已禁用' },
  address_not_allowed: { en: 'address not allowed', zh: '地址不在允许范围内' },
  insufficient_user_quota: { en: 'balance too low', zh: '账户余额不足' },
  pre_consume_token_quota_failed: { en: 'quota of the token too low', zh: '令牌额度不足' },
  token_budget_reached: { en: 'budget reached', zh: '预算已用尽' },
  token_rpm_reached: { en: 'too many calls per minute', zh: '每分钟调用过多' },
  token_tpm_reached: { en: 'too many tokens per minute', zh: '每分钟 Token 过多' },
  token_parallel_reached: { en: 'too many calls at a time', zh: '并发调用过多' },
  model_not_allowed: { en: 'model not allowed', zh: '模型不在允许范围内' },
  group_not_allowed: { en: 'group not allowed', zh: '分组不可用' },
  token_group_disabled: { en: 'group of the token not available', zh: '令牌分组不可用' },
  too_many_calls_in_window: { en: 'too many calls', zh: '调用过于频繁' },
  several: { en: 'several reasons', zh: '多种原因' },
}

/** A reason without words of its own is named by its code. */
export function describeRefusal(code: string, language: 'en' | 'zh'): string {
  return Object.hasOwn(words, code) ? (words[code]?.[language] ?? code) : code
}
