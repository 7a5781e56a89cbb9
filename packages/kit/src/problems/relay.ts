/**
 * Problems of relay routes. The texts may reach any caller: no host, no key, no internals. Codes are the wire contract's
 * where it names one. Source: spec relay 1, 3, 4, 5; billing 2, 3.
 */
export const relayProblems = {
  // Who is calling.
  token_missing: { status: 401, fault: 'caller', text: { en: 'No API token was sent', zh: '未提供令牌' } },
  token_invalid: { status: 401, fault: 'caller', text: { en: 'Invalid API token', zh: '无效的令牌' } },
  token_exhausted: {
    status: 401,
    fault: 'caller',
    text: {
      en: 'The quota of this token is used up TokenStatusExhausted[sk-{preview}]',
      zh: '该令牌额度已用尽 TokenStatusExhausted[sk-{preview}]',
    },
  },
  token_expired: { status: 401, fault: 'caller', text: { en: 'This token has expired', zh: '该令牌已过期' } },
  token_disabled: {
    status: 401,
    fault: 'caller',
    text: { en: 'This token is not enabled', zh: '该令牌状态不可用' },
  },
  user_banned: { status: 403, fault: 'caller', text: { en: 'This user is banned', zh: '用户已被封禁' } },

  media_unsupported: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'The provider of this model cannot take media of type {type}',
      zh: '该模型的提供商不支持 {type} 类型的媒体',
    },
  },
  not_expressible: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'The provider of this model cannot take {feature}',
      zh: '该模型的提供商不支持：{feature}',
    },
  },

  // What they may do.
  channel_choice_forbidden: {
    status: 403,
    fault: 'caller',
    text: { en: 'Ordinary users cannot choose a channel', zh: '普通用户不支持指定渠道' },
  },
  channel_unknown: { status: 400, fault: 'caller', text: { en: 'Invalid channel id', zh: '无效的渠道 Id' } },
  channel_disabled: {
    status: 403,
    fault: 'caller',
    text: { en: 'This channel is disabled', zh: '该渠道已被禁用' },
  },
  address_not_allowed: {
    status: 403,
    fault: 'caller',
    text: { en: 'Your address is not allowed for this token', zh: '您的 IP 不在令牌允许访问的列表中' },
  },
  token_group_disabled: {
    status: 403,
    fault: 'caller',
    text: { en: 'The token\'s group "{group}" is not available to you', zh: '令牌分组 {group} 已被禁用' },
  },
  group_deprecated: {
    status: 403,
    fault: 'caller',
    text: { en: 'Group "{group}" is no longer offered', zh: '分组 {group} 已被弃用' },
  },
  group_not_allowed: {
    status: 403,
    fault: 'caller',
    text: { en: 'You may not use this group', zh: '无权访问该分组' },
  },
  model_not_allowed: {
    status: 403,
    fault: 'caller',
    text: { en: 'This token may not use model {model}', zh: '该令牌无权访问模型 {model}' },
  },
  browser_extension_blocked: {
    status: 403,
    fault: 'caller',
    text: { en: 'Calls from browser extensions are not allowed here', zh: '不允许浏览器扩展调用' },
  },

  // What they sent.
  invalid_url: {
    status: 404,
    fault: 'caller',
    text: { en: 'Invalid URL ({method} {path})', zh: 'Invalid URL ({method} {path})' },
  },
  api_not_implemented: {
    status: 501,
    fault: 'caller',
    text: { en: 'API not implemented', zh: 'API not implemented' },
  },
  model_not_found: {
    status: 404,
    fault: 'caller',
    text: { en: "The model '{model}' does not exist", zh: "The model '{model}' does not exist" },
  },
  body_too_large: {
    status: 413,
    fault: 'caller',
    text: { en: 'The request body is larger than {limit} bytes', zh: '请求体超过 {limit} 字节' },
  },
  body_unreadable: {
    status: 400,
    fault: 'caller',
    text: { en: 'Invalid request, the body could not be read', zh: '无效的请求，无法读取请求体' },
  },
  invalid_request: {
    status: 400,
    fault: 'caller',
    text: { en: 'Invalid request, {reason}', zh: '无效的请求，{reason}' },
  },
  unmarshal_request_failed: {
    status: 400,
    fault: 'caller',
    text: { en: 'Invalid request, the body is not a JSON object', zh: '无效的请求，请求体不是 JSON 对象' },
  },
  model_required: { status: 400, fault: 'caller', text: { en: 'Choose a model', zh: '请选择模型' } },
  access_token_not_supported: {
    status: 400,
    fault: 'caller',
    text: { en: 'The playground needs a signed-in browser', zh: '暂不支持使用 access token' },
  },

  // The shape of the request body.
  body_too_deep: {
    status: 400,
    fault: 'caller',
    text: { en: 'Invalid request, nested deeper than {max} levels', zh: '无效的请求，嵌套超过 {max} 层' },
  },
  member_missing: {
    status: 400,
    fault: 'caller',
    text: { en: "Invalid request, '{param}' is required", zh: '无效的请求，缺少 {param}' },
  },
  member_repeated: {
    status: 400,
    fault: 'caller',
    text: {
      en: "Invalid request, '{param}' appears twice or in another spelling",
      zh: '无效的请求，{param} 重复出现或拼写不一致',
    },
  },
  member_invalid: {
    status: 400,
    fault: 'caller',
    text: { en: "Invalid request, '{param}' has the wrong type", zh: '无效的请求，{param} 类型错误' },
  },
  member_out_of_range: {
    status: 400,
    fault: 'caller',
    text: {
      en: "Invalid request, '{param}' must be a whole number from {min} to {max}",
      zh: '无效的请求，{param} 必须是 {min} 到 {max} 之间的整数',
    },
  },
  member_too_long: {
    status: 400,
    fault: 'caller',
    text: {
      en: "Invalid request, '{param}' has more than {max} items",
      zh: '无效的请求，{param} 超过 {max} 项',
    },
  },

  // What it costs.
  model_price_error: {
    status: 400,
    fault: 'operator',
    text: {
      en: 'Model {model} ratio or price not set, please set or start self-use mode',
      zh: '模型 {model} 倍率或价格未配置，请联系管理员设置或开始自用模式',
    },
  },
  insufficient_user_quota: {
    status: 403,
    fault: 'caller',
    text: {
      en: 'Your quota is not enough: {remaining} left, {needed} needed',
      zh: '用户额度不足，剩余额度: {remaining}，需要额度: {needed}',
    },
  },
  pre_consume_token_quota_failed: {
    status: 403,
    fault: 'caller',
    text: {
      en: 'The quota of this token is not enough: {remaining} left, {needed} needed',
      zh: '令牌额度不足，剩余额度: {remaining}，需要额度: {needed}',
    },
  },
  too_many_calls: {
    status: 429,
    fault: 'caller',
    text: { en: 'Too many of your calls are waiting, retry later', zh: '您的并发请求过多，请稍后再试' },
  },
  gateway_busy: {
    status: 503,
    fault: 'gateway',
    text: { en: 'The gateway is busy, retry later', zh: '网关繁忙，请稍后再试' },
  },
  ledger_unavailable: {
    status: 503,
    fault: 'gateway',
    text: { en: 'Calls cannot be accounted for at the moment, retry later', zh: '暂时无法记账，请稍后再试' },
  },
  gateway_stopping: {
    status: 503,
    fault: 'gateway',
    text: { en: 'The gateway is stopping, retry elsewhere', zh: '网关正在停止，请稍后再试' },
  },

  // Where it could go.
  no_channel: {
    status: 503,
    fault: 'operator',
    text: {
      en: 'No channel is available for model {model} in group {group}',
      zh: '当前分组 {group} 下对于模型 {model} 无可用渠道',
    },
  },
  get_playground_channel_failed: {
    status: 500,
    fault: 'operator',
    text: {
      en: 'No channel is available for model {model} in group {group}',
      zh: '当前分组 {group} 下对于模型 {model} 无可用渠道',
    },
  },
  internal_error: {
    status: 500,
    fault: 'gateway',
    text: { en: 'Something went wrong inside the gateway', zh: '网关内部错误' },
  },

  // How a channel is configured.
  channel_key_invalid: {
    status: 500,
    fault: 'operator',
    text: {
      en: 'The channel is not configured correctly: its key must be {hint}',
      zh: '渠道配置错误：密钥格式应为 {hint}',
    },
  },
  channel_key_refused: {
    status: 500,
    fault: 'operator',
    text: {
      en: 'The channel is not configured correctly: the vendor refuses its key',
      zh: '渠道配置错误：上游拒绝了该密钥',
    },
  },
  channel_mapping_circular: {
    status: 500,
    fault: 'operator',
    text: {
      en: 'The channel is not configured correctly: its model mapping of "{model}" comes back to where it began',
      zh: '渠道配置错误：模型“{model}”的映射形成循环',
    },
  },
  channel_base_url_missing: {
    status: 500,
    fault: 'operator',
    text: {
      en: 'The channel is not configured correctly: it has no base URL',
      zh: '渠道配置错误：缺少 Base URL',
    },
  },
  channel_other_missing: {
    status: 500,
    fault: 'operator',
    text: {
      en: 'The channel is not configured correctly: {label} is missing',
      zh: '渠道配置错误：缺少 {label}',
    },
  },

  // Where a request may go, and what it may carry.
  destination_refused: {
    status: 502,
    fault: 'operator',
    text: {
      en: 'The destination is not a public address, and the operator did not allow it (EGRESS_ALLOW)',
      zh: '目标地址不是公网地址，且未被管理员允许（EGRESS_ALLOW）',
    },
  },
  destination_invalid: {
    status: 500,
    fault: 'operator',
    text: {
      en: 'The destination is not a valid http or https address',
      zh: '目标不是有效的 http 或 https 地址',
    },
  },
  header_invalid: {
    status: 500,
    fault: 'operator',
    text: {
      en: 'A header to be sent has characters that are not allowed',
      zh: '要发送的请求头含有不允许的字符',
    },
  },

  // What came back. The caller sees these when no channel answered better.
  do_request_failed: {
    status: 500,
    fault: 'network',
    text: { en: 'The request to the upstream failed', zh: '请求上游地址失败' },
  },
  first_byte_timeout: {
    status: 504,
    fault: 'network',
    text: { en: 'The upstream did not answer in time', zh: '上游未在规定时间内响应' },
  },
  bad_response_body: {
    status: 502,
    fault: 'upstream',
    text: { en: 'The upstream sent an answer that is not valid', zh: '上游返回了无效的响应' },
  },
  empty_response: {
    status: 502,
    fault: 'upstream',
    text: { en: 'The upstream ended without an answer', zh: '上游没有返回任何内容' },
  },
  answer_too_large: {
    status: 502,
    fault: 'upstream',
    text: { en: 'The upstream sent more than {limit} bytes', zh: '上游响应超过 {limit} 字节' },
  },
  upstream_saturated: {
    status: 429,
    fault: 'upstream',
    text: {
      en: 'The upstream capacity of this group is saturated, retry later',
      zh: '当前分组上游负载已饱和，请稍后再试',
    },
  },
  upstream_error_hidden: {
    status: 502,
    fault: 'upstream',
    text: { en: 'Upstream error with status code {status}', zh: 'Upstream error with status code {status}' },
  },
  stream_broken: {
    status: 502,
    fault: 'upstream',
    text: { en: 'The upstream ended the stream too early', zh: '上游提前结束了响应流' },
  },
  stream_idle: {
    status: 504,
    fault: 'upstream',
    text: { en: 'The upstream stayed silent for too long', zh: '上游长时间无响应' },
  },
} as const
