import { callerFault, upstreamFault } from '../definition.ts'

/**
 * Problems of relay routes: the content of a request. Codes follow the wire contract where it defines them.
 */
export const requestProblems = {
  media_unsupported: callerFault(400, {
    en: 'The provider of this model does not support media of type {type}',
    zh: '该模型的提供商不支持 {type} 类型的媒体',
  }),
  media_wrong_kind: callerFault(400, {
    en: 'The address given as {wanted} leads to {type}',
    zh: '作为 {wanted} 提供的地址，其内容实际为 {type}',
  }),
  media_no_image: callerFault(400, {
    en: 'The data sent as an image of type {type} is not an image',
    zh: '作为 {type} 图片发送的数据不是图片',
  }),
  media_unknown: callerFault(400, {
    en: 'The content at a media address has an unknown type ({type})',
    zh: '媒体地址的内容无法识别（{type}）',
  }),
  media_refused: callerFault(400, {
    en: 'A media address is not on the public internet',
    zh: '媒体地址不是公网地址',
  }),
  media_unreachable: callerFault(400, {
    en: 'A media address could not be fetched: {reason}',
    zh: '无法获取媒体地址的内容：{reason}',
  }),
  media_too_large: callerFault(400, {
    en: 'The content at the media addresses is larger than {limit} bytes',
    zh: '媒体地址的内容合计超过 {limit} 字节',
  }),
  media_too_many: callerFault(400, {
    en: 'More than {max} media addresses, send the data instead',
    zh: '以地址提供的媒体超过 {max} 个，请直接发送数据',
  }),
  image_mask_unsupported: callerFault(400, {
    en: "The provider of this model edits images by description only, do not send 'mask'",
    zh: '该模型的提供商仅支持按文字描述编辑图片，请勿发送 mask',
  }),
  picture_unavailable: upstreamFault(502, {
    en: 'The image was generated, but could not be fetched from the upstream',
    zh: '图片已生成，但无法从上游提供的地址获取',
  }),
  not_expressible: callerFault(400, {
    en: 'The provider of this model does not support {feature}',
    zh: '该模型的提供商不支持：{feature}',
  }),
  thread_unsupported_request: callerFault(400, {
    en: 'No provider of this model keeps the conversation; send all of it, without thread',
    zh: '该模型没有可保存会话的提供商，请不带 thread，发送完整会话',
  }),
  thread_not_found: callerFault(400, {
    en: 'The conversation of previous_message_id was not found; send all of it, without thread',
    zh: '找不到 previous_message_id 对应的会话，请不带 thread，发送完整会话',
  }),
  invalid_url: callerFault(404, { en: 'Invalid URL ({method} {path})', zh: 'Invalid URL ({method} {path})' }),
  api_not_implemented: callerFault(501, { en: 'API not implemented', zh: 'API not implemented' }),
  model_not_found: callerFault(404, {
    en: "The model '{model}' does not exist",
    zh: "The model '{model}' does not exist",
  }),
  body_too_large: callerFault(413, {
    en: 'The request body is larger than {limit} bytes',
    zh: '请求体超过 {limit} 字节',
  }),
  body_unreadable: callerFault(400, {
    en: 'Invalid request, the body could not be read',
    zh: '无效的请求，无法读取请求体',
  }),
  cursor_unknown: callerFault(400, {
    en: "Invalid request, '{param}' is not a model in this list",
    zh: '无效的请求，{param} 不是此列表中的模型',
  }),
  body_coding_unsupported: callerFault(415, {
    en: "The content coding '{coding}' of the request body is not supported, use one of: {accepted}",
    zh: '不支持请求体的内容编码 {coding}，可用编码：{accepted}',
  }),
  body_codings_too_many: callerFault(415, {
    en: 'The request body has more than {max} content codings, use one',
    zh: '请求体的内容编码超过 {max} 层，请只使用一种',
  }),
  generation_id_invalid: callerFault(400, {
    en: "Invalid request, 'id' must be the id of a request or of its answer",
    zh: '无效的请求，id 须为请求或其响应的 ID',
  }),
  generation_not_found: callerFault(404, {
    en: "No call with the id '{id}' was found",
    zh: '找不到 ID 为 {id} 的调用',
  }),
  websocket_unsupported: callerFault(426, {
    en: '{path} is not served over WebSocket, send POST requests over HTTP',
    zh: '{path} 不支持 WebSocket，请使用 HTTP POST 请求',
  }),
  method_not_allowed: callerFault(405, {
    en: '{path} accepts {allowed} requests only',
    zh: '{path} 仅支持 {allowed} 请求',
  }),
  idempotency_key_invalid: callerFault(400, {
    en: 'Idempotency-Key: 8 to 80 letters, digits, - and _',
    zh: 'Idempotency-Key 须为 8 到 80 个字母、数字、- 或 _',
  }),
  idempotency_key_used: callerFault(409, {
    en: 'Your first attempt was saved; check the list before you save again',
    zh: '上一次提交其实已保存，请先在列表中查看再提交',
  }),
  invalid_request: callerFault(400, { en: 'Invalid request, {reason}', zh: '无效的请求，{reason}' }),
  unmarshal_request_failed: callerFault(400, {
    en: 'Invalid request, the body is not a JSON object',
    zh: '无效的请求，请求体不是 JSON 对象',
  }),
  form_needed: callerFault(400, {
    en: 'Send this call as multipart/form-data',
    zh: '请以 multipart/form-data 格式发送此请求',
  }),
  form_invalid: callerFault(400, {
    en: 'Invalid request, the form could not be read',
    zh: '无效的请求，无法读取表单',
  }),
  model_required: callerFault(400, { en: 'Choose a model', zh: '请选择模型' }),
  access_token_not_supported: callerFault(400, {
    en: 'The playground needs a signed-in browser',
    zh: '暂不支持使用 access token',
  }),
  body_too_deep: callerFault(400, {
    en: 'Invalid request, nested deeper than {max} levels',
    zh: '无效的请求，嵌套超过 {max} 层',
  }),
  body_too_many_values: callerFault(400, {
    en: 'Invalid request, the body has more than {max} values',
    zh: '无效的请求，请求体中的值超过 {max} 个',
  }),
  body_too_many_members: callerFault(400, {
    en: 'Invalid request, an object of the body has more than {max} members',
    zh: '无效的请求，请求体中有对象的成员超过 {max} 个',
  }),
  member_text_too_long: callerFault(400, {
    en: "Invalid request, '{param}' has more than {max} characters",
    zh: '无效的请求，{param} 超过 {max} 个字符',
  }),
  member_missing: callerFault(400, {
    en: "Invalid request, '{param}' is required",
    zh: '无效的请求，缺少 {param}',
  }),
  member_repeated: callerFault(400, {
    en: "Invalid request, '{param}' appears twice or in another spelling",
    zh: '无效的请求，{param} 重复出现或拼写不一致',
  }),
  member_misspelled: callerFault(400, {
    en: "Invalid request, write '{param}' instead of {written}",
    zh: '无效的请求，请将 {written} 写为 {param}',
  }),
  member_invalid: callerFault(400, {
    en: "Invalid request, '{param}' has the wrong type or value",
    zh: '无效的请求，{param} 类型或取值错误',
  }),
  member_not_allowed: callerFault(400, {
    en: "No channel for model {model} allows '{param}'",
    zh: '模型 {model} 的渠道均未开放 {param}',
  }),
  member_unknown: callerFault(400, {
    en: "Invalid request, this site does not know the member '{param}'",
    zh: '无效的请求，本站不认识参数 {param}',
  }),
  model_of_member_refused: callerFault(400, {
    en: "Invalid request, '{param}' may not name the model {model} here",
    zh: '无效的请求，此处 {param} 不能指定模型 {model}',
  }),
  member_unknown_value: callerFault(400, {
    en: "Invalid request, '{param}' must be one of: {values}",
    zh: '无效的请求，{param} 只能是：{values}',
  }),
  member_out_of_range: callerFault(400, {
    en: "Invalid request, '{param}' must be a whole number from {min} to {max}",
    zh: '无效的请求，{param} 必须是 {min} 到 {max} 之间的整数',
  }),
  member_too_long: callerFault(400, {
    en: "Invalid request, '{param}' has more than {max} items",
    zh: '无效的请求，{param} 超过 {max} 项',
  }),
}
