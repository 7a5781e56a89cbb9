/** Problems of channels, tokens, prices and logs. */
export const operationsProblems = {
  not_found: { status: 404, adminStatus: 200, fault: 'caller', text: { en: 'Not found', zh: '记录不存在' } },
  recent_sign_in_needed: {
    status: 403,
    fault: 'caller',
    text: {
      en: 'Sign in again first: this needs a sign-in of the last 12 hours',
      zh: '请先重新登录：此操作需要 12 小时内的登录',
    },
  },
  fresh_sign_in_needed: {
    status: 403,
    fault: 'caller',
    text: {
      en: 'Sign in again, then change it within 15 minutes',
      zh: '请重新登录，然后在 15 分钟内修改',
    },
  },
  secret_needed_again: {
    status: 403,
    fault: 'caller',
    text: {
      en: 'Enter the key again: only the super admin may change this without it',
      zh: '请重新填写密钥：只有超级管理员可以不填写密钥进行此修改',
    },
  },

  token_ids_missing: {
    status: 400,
    fault: 'caller',
    text: { en: 'Choose at least one token', zh: '请至少选择一个令牌' },
  },
  token_name_missing: {
    status: 400,
    fault: 'caller',
    text: { en: 'Name: give the token a name', zh: '令牌名称不能为空' },
  },
  token_name_too_long: {
    status: 400,
    fault: 'caller',
    text: { en: 'Name: at most {max} characters', zh: '令牌名称过长，最多 {max} 个字符' },
  },
  token_expiry_invalid: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'Expiry: a time in seconds, or -1 for never',
      zh: '过期时间无效：请填写秒级时间戳，或 -1 表示永不过期',
    },
  },
  token_expiry_passed: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'Expiry: this time has passed; choose a later one',
      zh: '过期时间已过，请选择将来的时间',
    },
  },
  token_quota_out_of_range: {
    status: 400,
    fault: 'caller',
    text: { en: 'Quota: between 0 and {max}', zh: '令牌额度必须在 0 到 {max} 之间' },
  },
  token_quota_changed: {
    status: 409,
    fault: 'caller',
    text: {
      en: 'Quota: {actual} remains now, not {expected}; load the token again before changing its quota',
      zh: '令牌剩余额度已变为 {actual}（打开时为 {expected}），请刷新后再修改额度',
    },
  },
  token_group_not_usable: {
    status: 400,
    fault: 'caller',
    text: { en: 'Group: you cannot use group {group}', zh: '无权使用分组 {group}' },
  },
  token_address_invalid: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'Allowed addresses: "{line}" is neither an IP address nor a CIDR range',
      zh: '允许的 IP：“{line}”不是有效的 IP 地址或 CIDR 网段',
    },
  },
  token_addresses_too_many: {
    status: 400,
    fault: 'caller',
    text: { en: 'Allowed addresses: at most {max} lines', zh: '允许的 IP 最多 {max} 行' },
  },
  token_models_missing: {
    status: 400,
    fault: 'caller',
    text: { en: 'Models: choose at least one, or lift the limit', zh: '请至少选择一个模型，或关闭模型限制' },
  },
  token_group_order_missing: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'Groups: name the groups to try in their order; this site has no order of its own',
      zh: '请填写要依次尝试的分组；本站未设置默认顺序',
    },
  },
  token_groups_too_many: {
    status: 400,
    fault: 'caller',
    text: { en: 'Groups: at most {max} to try', zh: '最多可依次尝试 {max} 个分组' },
  },
  token_budget_missing: {
    status: 400,
    fault: 'caller',
    text: { en: 'Budget: say how much may be spent in a period', zh: '请填写周期预算的额度' },
  },
  token_count_reached: {
    status: 400,
    fault: 'caller',
    text: { en: 'You have {max} tokens, the most allowed', zh: '令牌数量已达上限 {max}' },
  },
  token_status_unknown: {
    status: 400,
    fault: 'caller',
    text: { en: 'Status: 1 (enabled) or 2 (disabled)', zh: '令牌状态只能为 1（启用）或 2（禁用）' },
  },
  token_enable_expired: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'This token has expired: change its expiry first, or let it never expire',
      zh: '令牌已过期，无法启用，请先修改令牌过期时间，或者设置为永不过期',
    },
  },
  token_enable_exhausted: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'This token is used up: change its quota first, or make it unlimited',
      zh: '令牌可用额度已用尽，无法启用，请先修改令牌剩余额度，或者设置为无限额度',
    },
  },

  channel_name_missing: {
    status: 400,
    fault: 'caller',
    text: { en: 'Name: give the channel a name', zh: '请填写渠道名称' },
  },
  channel_name_too_long: {
    status: 400,
    fault: 'caller',
    text: { en: 'Name: at most {max} characters', zh: '渠道名称过长，最多 {max} 个字符' },
  },
  channel_type_unknown: {
    status: 400,
    fault: 'caller',
    text: { en: 'Type: {type} is not a channel type of this gateway', zh: '不支持的渠道类型：{type}' },
  },
  channel_key_missing: {
    status: 400,
    fault: 'caller',
    text: { en: 'Key: fill in a key', zh: '请填写渠道密钥' },
  },
  channel_key_mode_needed: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'Nothing was changed: the channel has {stored} keys, and {sent} would replace them. Send all keys, or key_mode "append" or "replace"',
      zh: '未作修改：该渠道已有 {stored} 个密钥，本次提交的 {sent} 个将替换全部密钥。请提交全部密钥，或用 key_mode 指定 append（追加）或 replace（替换）',
    },
  },
  channel_key_malformed: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'Key: a key has control characters, or is a JSON object that is not complete',
      zh: '渠道密钥包含控制字符，或不是完整的 JSON 对象',
    },
  },
  channel_keys_too_many: {
    status: 400,
    fault: 'caller',
    text: { en: 'Key: at most {max} keys in one channel', zh: '单个渠道最多 {max} 个密钥' },
  },
  channel_models_missing: {
    status: 400,
    fault: 'caller',
    text: { en: 'Models: choose at least one model', zh: '请至少选择一个模型' },
  },
  channel_model_too_long: {
    status: 400,
    fault: 'caller',
    text: { en: 'Models: the name is too long: {model}', zh: '模型名称过长: {model}' },
  },
  channel_models_too_many: {
    status: 400,
    fault: 'caller',
    text: { en: 'Models: at most {max}', zh: '模型数量最多 {max} 个' },
  },
  channel_group_invalid: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'Groups: "{group}" is not a group name (at most 64 characters, no control characters)',
      zh: '分组名称无效：{group}（最多 64 个字符，不能含控制字符）',
    },
  },
  channel_base_url_invalid: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'Base URL: a http or https address without user name, query or fragment',
      zh: 'API 地址无效：必须为 http 或 https 地址，且不含用户名、查询参数或片段',
    },
  },
  channel_base_url_needed: {
    status: 400,
    fault: 'caller',
    text: { en: 'Base URL: channels of type {type} need one', zh: '{type} 类型的渠道必须填写 API 地址' },
  },
  channel_json_invalid: {
    status: 400,
    fault: 'caller',
    text: { en: '{field}: not a valid JSON object', zh: '{field} 不是合法的 JSON 对象' },
  },
  channel_default_missing: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'Region: a list by model needs a "default" for the other models',
      zh: '部署地区必须包含 default 字段，用于其余模型',
    },
  },
  channel_mapping_invalid: {
    status: 400,
    fault: 'caller',
    text: { en: '{field}: the value of "{name}" must be a text', zh: '{field}：“{name}”的值必须是字符串' },
  },
  channel_switch_invalid: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'The channel setting “{name}” must be one of: {values}.',
      zh: '渠道设置“{name}”只能为以下值之一：{values}。',
    },
  },
  channel_cost_ratio_invalid: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'The cost ratio of “{name}” must be a number from 0 to 1000, such as 0.8.',
      zh: '“{name}”的成本倍率须为 0 到 1000 之间的数字，例如 0.8。',
    },
  },
  channel_status_mapping_invalid: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'Status code mapping: "{name}" and its value must be status codes from 100 to 599',
      zh: '状态码映射：“{name}”及其值必须是 100 到 599 的状态码',
    },
  },
  channel_header_invalid: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'Header override: "{name}" is not a header that may be set, or its value is not one line of text',
      zh: '请求头覆盖：“{name}”不是可设置的请求头，或其值不是单行文本',
    },
  },
  channel_values_needed_again: {
    status: 403,
    fault: 'caller',
    text: {
      en: 'The stored header values would go to another address: enter them again beside the key, or remove them',
      zh: '地址变更后，已保存的请求头等值会被发送到新地址：请在填写密钥的同时重新填写这些值，或将其删除',
    },
  },
  channel_masked_value: {
    status: 400,
    fault: 'caller',
    text: {
      en: '{field}: "***" stands for a stored value, and none is stored there. Enter the value itself.',
      zh: '{field}：“***”代表已保存的值，但此处没有已保存的值，请填写实际内容',
    },
  },
  channel_operation_invalid: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'Parameter override: the operation "{mode}" is not known, or something it needs is missing or wrong',
      zh: '参数覆盖：操作“{mode}”未知，或其所需内容缺失或有误',
    },
  },
  channel_text_invalid: {
    status: 400,
    fault: 'caller',
    text: { en: '{field}: contains a comma or control characters', zh: '{field} 不能包含逗号或控制字符' },
  },
  channel_version_changed: {
    status: 409,
    fault: 'caller',
    text: {
      en: 'Somebody else has changed this channel meanwhile; load it again before saving',
      zh: '该渠道已被其他人修改，请刷新后再保存',
    },
  },
  channel_tag_missing: {
    status: 400,
    fault: 'caller',
    text: { en: 'Tag: must not be empty', zh: 'tag不能为空' },
  },
  channel_ids_missing: {
    status: 400,
    fault: 'caller',
    text: { en: 'Choose at least one channel', zh: '请至少选择一个渠道' },
  },
  channel_priority_invalid: {
    status: 400,
    fault: 'caller',
    text: { en: 'Priority: a whole number, at least -999', zh: '优先级须为不小于 -999 的整数' },
  },
  channel_weight_invalid: {
    status: 400,
    fault: 'caller',
    text: { en: 'Weight: a whole number, at least 0', zh: '权重须为非负整数' },
  },
  channel_routes_invalid: {
    status: 400,
    fault: 'caller',
    text: { en: 'Routes: advanced_routes must be a list', zh: '路由：advanced_routes 必须是列表' },
  },
  channel_trait_invalid: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'Model traits: “{place}” must look like {values}.',
      zh: '模型特性：“{place}” 应形如 {values}',
    },
  },
  channel_route_invalid: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'Routes: "{member}" of route {place} is missing, or cannot be understood',
      zh: '路由：第 {place} 条路由的 {member} 缺失或无法识别',
    },
  },
  channel_test_running: {
    status: 409,
    fault: 'caller',
    text: { en: 'The test of all channels is running already', zh: '测试已在运行中' },
  },
  channel_balance_unsupported: {
    status: 400,
    fault: 'caller',
    text: { en: 'Providers of this type report no balance', zh: '该类型的渠道不支持查询余额' },
  },
  channel_balance_unreadable: {
    status: 502,
    fault: 'upstream',
    text: { en: 'The answer of the upstream contains no balance', zh: '上游的回答中没有余额' },
  },
  channel_key_unknown: {
    status: 404,
    fault: 'caller',
    text: { en: 'This channel has no such key any more', zh: '该渠道已没有此密钥' },
  },
  channel_key_endless: {
    status: 400,
    fault: 'caller',
    text: { en: 'Keys of this provider are not renewed', zh: '该服务商的密钥无需刷新' },
  },
  channel_key_unrenewed: {
    status: 502,
    fault: 'upstream',
    text: { en: 'The key was not renewed: {reason}', zh: '密钥未能刷新：{reason}' },
  },
  channel_last_key: {
    status: 400,
    fault: 'caller',
    text: { en: 'A channel keeps at least one key', zh: '渠道至少保留一个密钥' },
  },
  job_running: {
    status: 409,
    fault: 'caller',
    text: { en: 'This job is running already', zh: '该任务正在运行' },
  },
  channel_models_not_listed: {
    status: 400,
    fault: 'caller',
    text: { en: 'Providers of this type offer no model list', zh: '该类型的渠道不支持获取模型列表' },
  },
  channel_models_status: {
    status: 502,
    fault: 'upstream',
    text: { en: 'The upstream answered with status code {status}', zh: '上游返回 status code: {status}' },
  },
  channel_models_unreadable: {
    status: 502,
    fault: 'upstream',
    text: {
      en: 'The answer of the upstream is not a model list',
      zh: '解析响应失败: 不是模型列表',
    },
  },

  log_target_missing: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'target_timestamp: a time in seconds is required',
      zh: '请指定要清理到的时间（target_timestamp）',
    },
  },

  usage_span_too_long: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'The time range must not be longer than {days} days',
      zh: '时间跨度不能超过 {days} 天',
    },
  },
  usage_range_too_long: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'The time range has more than {steps} steps: choose a shorter one, or a longer step',
      zh: '时间范围超过 {steps} 个时间段：请缩短范围或加大粒度',
    },
  },
} as const
