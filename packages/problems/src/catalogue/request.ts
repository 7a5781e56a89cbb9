/**
 * Problems of relay routes: the content of a request. Codes follow the wire contract where it defines them.
 */
export const requestProblems = {
  media_unsupported: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'The provider of this model does not support media of type {type}',
      zh: '该模型的提供商不支持 {type} 类型的媒体',
    },
  },
  media_wrong_kind: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'The address given as {wanted} leads to {type}',
      zh: '作为 {wanted} 提供的地址，其内容实际为 {type}',
    },
  },
  media_no_image: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'The data sent as an image of type {type} is not an image',
      zh: '作为 {type} 图片发送的数据不是图片',
    },
  },
  media_unknown: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'The content at a media address has an unknown type ({type})',
      zh: '媒体地址的内容无法识别（{type}）',
    },
  },
  media_refused: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'A media address is not on the public internet',
      zh: '媒体地址不是公网地址',
    },
  },
  media_unreachable: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'A media address could not be fetched: {reason}',
      zh: '无法获取媒体地址的内容：{reason}',
    },
  },
  media_too_large: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'The content at the media addresses is larger than {limit} bytes',
      zh: '媒体地址的内容合计超过 {limit} 字节',
    },
  },
  media_too_many: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'More than {max} media addresses, send the data instead',
      zh: '以地址提供的媒体超过 {max} 个，请直接发送数据',
    },
  },
  image_mask_unsupported: {
    status: 400,
    fault: 'caller',
    text: {
      en: "The provider of this model edits images by description only, do not send 'mask'",
      zh: '该模型的提供商仅支持按文字描述编辑图片，请勿发送 mask',
    },
  },
  picture_unavailable: {
    status: 502,
    fault: 'upstream',
    text: {
      en: 'The image was generated, but could not be fetched from the upstream',
      zh: '图片已生成，但无法从上游提供的地址获取',
    },
  },
  not_expressible: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'The provider of this model does not support {feature}',
      zh: '该模型的提供商不支持：{feature}',
    },
  },
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
  cursor_unknown: {
    status: 400,
    fault: 'caller',
    text: {
      en: "Invalid request, '{param}' is not a model in this list",
      zh: '无效的请求，{param} 不是此列表中的模型',
    },
  },
  body_coding_unsupported: {
    status: 415,
    fault: 'caller',
    text: {
      en: "The content coding '{coding}' of the request body is not supported, use one of: {accepted}",
      zh: '不支持请求体的内容编码 {coding}，可用编码：{accepted}',
    },
  },
  body_codings_too_many: {
    status: 415,
    fault: 'caller',
    text: {
      en: 'The request body has more than {max} content codings, use one',
      zh: '请求体的内容编码超过 {max} 层，请只使用一种',
    },
  },
  websocket_unsupported: {
    status: 426,
    fault: 'caller',
    text: {
      en: '{path} is not served over WebSocket, send POST requests over HTTP',
      zh: '{path} 不支持 WebSocket，请使用 HTTP POST 请求',
    },
  },
  method_not_allowed: {
    status: 405,
    fault: 'caller',
    text: {
      en: '{path} accepts {allowed} requests only',
      zh: '{path} 仅支持 {allowed} 请求',
    },
  },
  idempotency_key_invalid: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'Idempotency-Key: 8 to 80 letters, digits, - and _',
      zh: 'Idempotency-Key 须为 8 到 80 个字母、数字、- 或 _',
    },
  },
  idempotency_key_used: {
    status: 409,
    adminStatus: 200,
    fault: 'caller',
    text: {
      en: 'Your first attempt was saved; check the list before you save again',
      zh: '上一次提交其实已保存，请先在列表中查看再提交',
    },
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
  form_needed: {
    status: 400,
    fault: 'caller',
    text: { en: 'Send this call as multipart/form-data', zh: '请以 multipart/form-data 格式发送此请求' },
  },
  form_invalid: {
    status: 400,
    fault: 'caller',
    text: { en: 'Invalid request, the form could not be read', zh: '无效的请求，无法读取表单' },
  },
  model_required: { status: 400, fault: 'caller', text: { en: 'Choose a model', zh: '请选择模型' } },
  access_token_not_supported: {
    status: 400,
    fault: 'caller',
    text: { en: 'The playground needs a signed-in browser', zh: '暂不支持使用 access token' },
  },
  body_too_deep: {
    status: 400,
    fault: 'caller',
    text: { en: 'Invalid request, nested deeper than {max} levels', zh: '无效的请求，嵌套超过 {max} 层' },
  },
  body_too_many_values: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'Invalid request, the body has more than {max} values',
      zh: '无效的请求，请求体中的值超过 {max} 个',
    },
  },
  body_too_many_members: {
    status: 400,
    fault: 'caller',
    text: {
      en: 'Invalid request, an object of the body has more than {max} members',
      zh: '无效的请求，请求体中有对象的成员超过 {max} 个',
    },
  },
  member_text_too_long: {
    status: 400,
    fault: 'caller',
    text: {
      en: "Invalid request, '{param}' has more than {max} characters",
      zh: '无效的请求，{param} 超过 {max} 个字符',
    },
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
  member_misspelled: {
    status: 400,
    fault: 'caller',
    text: {
      en: "Invalid request, write '{param}' instead of {written}",
      zh: '无效的请求，请将 {written} 写为 {param}',
    },
  },
  member_invalid: {
    status: 400,
    fault: 'caller',
    text: {
      en: "Invalid request, '{param}' has the wrong type or value",
      zh: '无效的请求，{param} 类型或取值错误',
    },
  },
  member_not_allowed: {
    status: 400,
    fault: 'caller',
    text: {
      en: "No channel for model {model} allows '{param}'",
      zh: '模型 {model} 的渠道均未开放 {param}',
    },
  },
  member_unknown_value: {
    status: 400,
    fault: 'caller',
    text: {
      en: "Invalid request, '{param}' must be one of: {values}",
      zh: '无效的请求，{param} 只能是：{values}',
    },
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
} as const
