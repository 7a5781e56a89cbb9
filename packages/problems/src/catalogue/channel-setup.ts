import { operatorFault, upstreamFault } from '../definition.ts'

/**
 * Problems of relay routes: channel configuration, permitted upstream addresses and permitted request
 * content. The texts are shown to operators.
 */
export const channelSetupProblems = {
  channel_key_invalid: operatorFault(500, {
    en: 'The channel is not configured correctly: its key must be {hint}',
    zh: '渠道配置错误：密钥格式应为 {hint}',
  }),
  channel_key_refused: operatorFault(500, {
    en: 'The channel is not configured correctly: the vendor refuses its key',
    zh: '渠道配置错误：上游拒绝了该密钥',
  }),
  channel_token_missing: upstreamFault(502, {
    en: "The vendor issued no access token for the channel's key",
    zh: '上游未能为渠道密钥签发访问令牌',
  }),
  channel_key_not_renewed: upstreamFault(502, {
    en: "The channel's key has expired, and the vendor issued no new one",
    zh: '渠道密钥已到期，上游未能签发新的密钥',
  }),
  channel_mapping_circular: operatorFault(500, {
    en: 'The channel is not configured correctly: its model mapping of "{model}" is circular',
    zh: '渠道配置错误：模型“{model}”的映射形成循环',
  }),
  channel_base_url_missing: operatorFault(500, {
    en: 'The channel is not configured correctly: it has no base URL',
    zh: '渠道配置错误：缺少 Base URL',
  }),
  channel_other_missing: operatorFault(500, {
    en: 'The channel is not configured correctly: {label} is missing',
    zh: '渠道配置错误：缺少 {label}',
  }),
  destination_refused: operatorFault(502, {
    en: 'The destination is not a public address, and the operator did not allow it (EGRESS_ALLOW)',
    zh: '目标地址不是公网地址，且未被管理员允许（EGRESS_ALLOW）',
  }),
  channel_override_invalid: operatorFault(500, {
    en: "A channel's parameter override has an unknown operation: {mode}",
    zh: '渠道参数覆盖中有未知的操作：{mode}',
  }),
  proxy_invalid: operatorFault(500, {
    en: "A channel's proxy must be an http, https or socks5 address",
    zh: '渠道代理必须是 http、https 或 socks5 地址',
  }),
  destination_invalid: operatorFault(500, {
    en: 'The destination is not a valid http or https address',
    zh: '目标不是有效的 http 或 https 地址',
  }),
  header_invalid: operatorFault(500, {
    en: 'A header to be sent has characters that are not allowed',
    zh: '要发送的请求头含有不允许的字符',
  }),
}
