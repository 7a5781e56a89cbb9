import { callerFault, upstreamFault } from '../definition.ts'

/** Problems of the administration of channels. */
export const channelProblems = {
  channel_name_missing: callerFault(400, { en: 'Name: give the channel a name', zh: '请填写渠道名称' }),
  channel_name_too_long: callerFault(400, {
    en: 'Name: at most {max} characters',
    zh: '渠道名称过长，最多 {max} 个字符',
  }),
  channel_type_unknown: callerFault(400, {
    en: 'Type: {type} is not a channel type of this gateway',
    zh: '不支持的渠道类型：{type}',
  }),
  channel_key_missing: callerFault(400, { en: 'Key: fill in a key', zh: '请填写渠道密钥' }),
  channel_key_mode_needed: callerFault(400, {
    en: 'Nothing was changed: the channel has {stored} keys, and {sent} would replace them. Send all keys, or key_mode "append" or "replace"',
    zh: '未作修改：该渠道已有 {stored} 个密钥，本次提交的 {sent} 个将替换全部密钥。请提交全部密钥，或用 key_mode 指定 append（追加）或 replace（替换）',
  }),
  channel_key_malformed: callerFault(400, {
    en: 'Key: a key has control characters, or is a JSON object that is not complete',
    zh: '渠道密钥包含控制字符，或不是完整的 JSON 对象',
  }),
  channel_keys_too_many: callerFault(400, {
    en: 'Key: at most {max} keys in one channel',
    zh: '单个渠道最多 {max} 个密钥',
  }),
  channel_models_missing: callerFault(400, {
    en: 'Models: choose at least one model',
    zh: '请至少选择一个模型',
  }),
  channel_model_too_long: callerFault(400, {
    en: 'Models: the name is too long: {model}',
    zh: '模型名称过长: {model}',
  }),
  channel_models_too_many: callerFault(400, { en: 'Models: at most {max}', zh: '模型数量最多 {max} 个' }),
  channel_group_invalid: callerFault(400, {
    en: 'Groups: "{group}" is not a group name (at most 64 characters, no control characters)',
    zh: '分组名称无效：{group}（最多 64 个字符，不能含控制字符）',
  }),
  channel_base_url_invalid: callerFault(400, {
    en: 'Base URL: a http or https address without user name, query or fragment',
    zh: 'API 地址无效：必须为 http 或 https 地址，且不含用户名、查询参数或片段',
  }),
  channel_base_url_needed: callerFault(400, {
    en: 'Base URL: channels of type {type} need one',
    zh: '{type} 类型的渠道必须填写 API 地址',
  }),
  channel_json_invalid: callerFault(400, {
    en: '{field}: not a valid JSON object',
    zh: '{field} 不是合法的 JSON 对象',
  }),
  channel_default_missing: callerFault(400, {
    en: 'Region: a list by model needs a "default" for the other models',
    zh: '部署地区必须包含 default 字段，用于其余模型',
  }),
  channel_mapping_invalid: callerFault(400, {
    en: '{field}: the value of "{name}" must be a text',
    zh: '{field}：“{name}”的值必须是字符串',
  }),
  affinity_rule_unknown: callerFault(400, {
    en: 'Name the rule “{rule}”, or everything with all=true.',
    zh: '请指定规则“{rule}”，或使用 all=true 表示全部。',
  }),
  channel_switch_invalid: callerFault(400, {
    en: 'The channel setting “{name}” must be one of: {values}.',
    zh: '渠道设置“{name}”只能为以下值之一：{values}。',
  }),
  channel_cost_ratio_invalid: callerFault(400, {
    en: 'The cost ratio of “{name}” must be a number from 0 to 1000, such as 0.8.',
    zh: '“{name}”的成本倍率须为 0 到 1000 之间的数字，例如 0.8。',
  }),
  channel_status_mapping_invalid: callerFault(400, {
    en: 'Status code mapping: "{name}" and its value must be status codes from 100 to 599',
    zh: '状态码映射：“{name}”及其值必须是 100 到 599 的状态码',
  }),
  channel_header_invalid: callerFault(400, {
    en: 'Header override: "{name}" is not a header that may be set, or its value is not one line of text',
    zh: '请求头覆盖：“{name}”不是可设置的请求头，或其值不是单行文本',
  }),
  channel_values_needed_again: callerFault(403, {
    en: 'The stored header values would be sent to another address: enter them again together with the key, or remove them',
    zh: '地址变更后，已保存的请求头等值会被发送到新地址：请在填写密钥的同时重新填写这些值，或将其删除',
  }),
  channel_masked_value: callerFault(400, {
    en: '{field}: "***" stands for a stored value, but there is none. Enter the value itself.',
    zh: '{field}：“***”代表已保存的值，但此处没有已保存的值，请填写实际内容',
  }),
  channel_operation_invalid: callerFault(400, {
    en: 'Parameter override: the operation "{mode}" is unknown, or one of its arguments is missing or invalid',
    zh: '参数覆盖：操作“{mode}”未知，或其参数缺失或无效',
  }),
  channel_text_invalid: callerFault(400, {
    en: '{field}: contains a comma or control characters',
    zh: '{field} 不能包含逗号或控制字符',
  }),
  channel_version_changed: callerFault(409, {
    en: 'Somebody else has changed this channel; reload it before saving',
    zh: '该渠道已被其他人修改，请刷新后再保存',
  }),
  channel_tag_missing: callerFault(400, { en: 'Tag: must not be empty', zh: 'tag不能为空' }),
  channel_ids_missing: callerFault(400, { en: 'Choose at least one channel', zh: '请至少选择一个渠道' }),
  channel_priority_invalid: callerFault(400, {
    en: 'Priority: a whole number, at least -999',
    zh: '优先级须为不小于 -999 的整数',
  }),
  channel_weight_invalid: callerFault(400, {
    en: 'Weight: a whole number, at least 0',
    zh: '权重须为非负整数',
  }),
  channel_routes_invalid: callerFault(400, {
    en: 'Routes: advanced_routes must be a list',
    zh: '路由：advanced_routes 必须是列表',
  }),
  channel_trait_invalid: callerFault(400, {
    en: 'Model traits: “{place}” must look like {values}.',
    zh: '模型特性：“{place}” 应形如 {values}',
  }),
  channel_route_invalid: callerFault(400, {
    en: 'Routes: "{member}" of route {place} is missing or invalid',
    zh: '路由：第 {place} 条路由的 {member} 缺失或无法识别',
  }),
  channel_test_running: callerFault(409, {
    en: 'The test of all channels is already running',
    zh: '测试已在运行中',
  }),
  channel_balance_unsupported: callerFault(400, {
    en: 'Providers of this type report no balance',
    zh: '该类型的渠道不支持查询余额',
  }),
  channel_balance_unreadable: upstreamFault(502, {
    en: 'The upstream returned no balance',
    zh: '上游响应中没有余额',
  }),
  channel_key_unknown: callerFault(404, {
    en: 'The channel no longer has this key',
    zh: '该渠道已没有此密钥',
  }),
  channel_key_endless: callerFault(400, {
    en: 'Keys of this provider are not renewed',
    zh: '该服务商的密钥无需刷新',
  }),
  channel_key_unrenewed: upstreamFault(502, {
    en: 'The key was not renewed: {reason}',
    zh: '密钥未能刷新：{reason}',
  }),
  channel_last_key: callerFault(400, { en: 'A channel keeps at least one key', zh: '渠道至少保留一个密钥' }),
  channel_models_not_listed: callerFault(400, {
    en: 'Providers of this type offer no model list',
    zh: '该类型的渠道不支持获取模型列表',
  }),
  channel_models_status: upstreamFault(502, {
    en: 'The upstream answered with status code {status}',
    zh: '上游返回 status code: {status}',
  }),
  channel_models_refused: upstreamFault(502, {
    en: 'The upstream did not list its models: {message}',
    zh: '上游没有返回模型列表：{message}',
  }),
  channel_models_unreadable: upstreamFault(502, {
    en: 'The upstream did not return a model list',
    zh: '解析响应失败: 不是模型列表',
  }),
}
