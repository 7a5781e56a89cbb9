import { callerFault, gatewayFault, operatorFault } from '../definition.ts'

/** Problems of relay routes: price and quota, rate limits, and gateway overload. */
export const limitProblems = {
  model_price_error: operatorFault(400, {
    en: 'Model {model} ratio or price not set, please set or start self-use mode',
    zh: '模型 {model} 倍率或价格未配置，请联系管理员设置或开始自用模式',
  }),
  insufficient_user_quota: callerFault(403, {
    en: 'Your quota is not enough: {remaining} left, {needed} needed',
    zh: '用户额度不足，剩余额度: {remaining}，需要额度: {needed}',
  }),
  pre_consume_token_quota_failed: callerFault(403, {
    en: 'The quota of this token is not enough: {remaining} left, {needed} needed',
    zh: '令牌额度不足，剩余额度: {remaining}，需要额度: {needed}',
  }),
  sensitive_words_detected: callerFault(400, {
    en: 'sensitive words detected',
    zh: '检测到敏感词，请修改后重试',
  }),
  too_many_calls_in_window: callerFault(429, {
    en: 'Too many calls: at most {count} in {minutes} minutes, failed ones included; check your requests',
    zh: '您已达到总请求数限制：{minutes}分钟内最多请求{count}次，包括失败次数，请检查您的请求是否正确',
  }),
  too_many_successes_in_window: callerFault(429, {
    en: 'Too many calls: at most {count} in {minutes} minutes',
    zh: '您已达到请求数限制：{minutes}分钟内最多请求{count}次',
  }),
  token_rpm_reached: callerFault(429, {
    en: 'This token has reached its limit of {count} calls per minute; try again in {seconds} s',
    zh: '该令牌每分钟最多请求 {count} 次，已达到上限，请在 {seconds} 秒后重试',
  }),
  token_tpm_reached: callerFault(429, {
    en: 'This token has a limit of {count} tokens per minute, and this call of about {needed} would exceed it; try again in {seconds} s',
    zh: '该令牌每分钟最多使用 {count} 个 token，本次请求约需 {needed} 个，已超出上限，请在 {seconds} 秒后重试',
  }),
  token_tpm_too_small: callerFault(429, {
    en: 'This call of about {needed} tokens exceeds the limit of {count} tokens per minute of this token; request fewer',
    zh: '本次请求约需 {needed} 个 token，超过该令牌每分钟 {count} 个的上限，请缩短请求或减少最大输出',
  }),
  token_parallel_reached: callerFault(429, {
    en: 'This token has reached its limit of {count} concurrent calls; try again when one has ended',
    zh: '该令牌最多同时进行 {count} 个请求，已达到上限，请等待其中一个结束后重试',
  }),
  token_budget_reached: callerFault(429, {
    en: 'The budget of this token is not enough: {remaining} of {budget} left until {reset}, {needed} needed',
    zh: '该令牌的周期预算不足：{reset} 重置前剩余 {remaining}（共 {budget}），需要 {needed}',
  }),
  too_many_calls_for_balance: callerFault(429, {
    en: 'Too many concurrent calls for this balance; try again when one of them has ended',
    zh: '当前余额不支持这么多请求同时进行，请等待其中一个结束后重试',
  }),
  server_tool_unlimited: callerFault(403, {
    en: '{param} has no limit on what it reads and costs, so it is only available to accounts that have paid; remove it or top up',
    zh: '{param} 读取的内容与费用没有上限，仅供已付费的账户使用；请去掉该项或充值后重试',
  }),
  fee_price_unknown: callerFault(403, {
    en: 'The price of {param} is not known, so it is only available to accounts that have paid; remove it or top up',
    zh: '{param} 的价格未知，仅供已付费的账户使用；请去掉该项或充值后重试',
  }),
  too_many_calls: callerFault(429, {
    en: 'Too many of your calls are waiting, retry later',
    zh: '您的并发请求过多，请稍后再试',
  }),
  too_many_body_bytes: callerFault(429, {
    en: 'Your open calls have more than {limit} bytes together; try again when one has ended',
    zh: '您正在进行的请求合计超过 {limit} 字节，请等待其中一个结束后重试',
  }),
  gateway_bodies_full: gatewayFault(503, {
    en: 'The gateway cannot take more request bytes at the moment, try again in {seconds} s',
    zh: '网关正在处理的请求体已达到上限，请在 {seconds} 秒后重试',
  }),
  too_many_answer_bytes: callerFault(429, {
    en: 'Your open calls hold {limit} bytes of answers that were not read yet; try again when one has ended',
    zh: '您尚未读取的应答已占满 {limit} 字节，请等待其中一个结束后重试',
  }),
  answer_room_full: gatewayFault(503, {
    en: 'The gateway has no room for the answer of this call at the moment, try again in {seconds} s',
    zh: '网关暂时没有空间容纳该请求的应答，请在 {seconds} 秒后重试',
  }),
  gateway_busy: gatewayFault(503, { en: 'The gateway is busy, retry later', zh: '网关繁忙，请稍后再试' }),
  ledger_unavailable: gatewayFault(503, {
    en: 'Calls cannot be accounted for at the moment, try again in {seconds} s',
    zh: '暂时无法记账，请在 {seconds} 秒后重试',
  }),
  gateway_stopping: gatewayFault(503, {
    en: 'The gateway is shutting down, retry',
    zh: '网关正在停止，请稍后再试',
  }),
}
