import { callerFault, gatewayFault, networkFault, operatorFault, upstreamFault } from '../definition.ts'

/**
 * Problems of relay routes: routing and upstream responses. The texts may reach any caller, so they contain
 * no host, key or internal detail.
 */
export const relayProblems = {
  no_channel: operatorFault(503, {
    en: 'No channel is available for model {model} in group {group}',
    zh: '当前分组 {group} 下对于模型 {model} 无可用渠道',
  }),
  get_playground_channel_failed: operatorFault(500, {
    en: 'No channel is available for model {model} in group {group}',
    zh: '当前分组 {group} 下对于模型 {model} 无可用渠道',
  }),
  internal_error: gatewayFault(500, { en: 'Something went wrong inside the gateway', zh: '网关内部错误' }),
  do_request_failed: networkFault(500, { en: 'The request to the upstream failed', zh: '请求上游地址失败' }),
  first_byte_timeout: networkFault(504, {
    en: 'The upstream did not answer in time',
    zh: '上游未在规定时间内响应',
  }),
  bad_response_body: upstreamFault(502, {
    en: 'The upstream sent an answer that is not valid',
    zh: '上游返回了无效的响应',
  }),
  empty_response: upstreamFault(502, {
    en: 'The upstream ended without an answer',
    zh: '上游没有返回任何内容',
  }),
  answer_too_large: upstreamFault(502, {
    en: 'The upstream sent more than {limit} bytes',
    zh: '上游响应超过 {limit} 字节',
  }),
  upstream_saturated: upstreamFault(429, {
    en: 'The upstream capacity of this group is saturated, retry later',
    zh: '当前分组上游负载已饱和，请稍后再试',
  }),
  upstream_error_hidden: upstreamFault(502, {
    en: 'Upstream error with status code {status}',
    zh: 'Upstream error with status code {status}',
  }),
  stream_broken: upstreamFault(502, {
    en: 'The upstream ended the stream too early; try again later',
    zh: '上游提前结束了响应流，请稍后再试',
  }),
  session_exhausted: callerFault(403, {
    en: 'Your quota is not enough for another turn',
    zh: '额度不足以继续会话',
  }),
  session_answers_reached: callerFault(429, {
    en: 'This session has {max} answers under way; wait until one ends',
    zh: '此会话已有 {max} 个回答正在进行，请等待其中一个结束',
  }),
  session_channel_off: callerFault(403, {
    en: 'The channel of this session was switched off; connect again',
    zh: '此会话使用的渠道已被停用，请重新连接',
  }),
  session_over: callerFault(408, { en: 'The session has reached its time limit', zh: '会话已达到时间上限' }),
  stream_idle: upstreamFault(504, {
    en: 'The upstream stayed silent for too long; try again later',
    zh: '上游长时间无响应，请稍后再试',
  }),
}
