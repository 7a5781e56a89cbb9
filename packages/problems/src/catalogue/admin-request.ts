/** Problems that any admin request may have. */
export const adminRequestProblems = {
  too_many_requests: {
    status: 429,
    adminStatus: 429,
    fault: 'caller',
    text: {
      en: 'Too many requests; try again in {seconds} seconds',
      zh: '请求次数过多，请在 {seconds} 秒后再试',
    },
  },
  body_not_json: {
    status: 400,
    adminStatus: 200,
    fault: 'caller',
    text: { en: 'The body is not valid JSON', zh: '无效的参数' },
  },
  body_nested_too_deeply: {
    status: 400,
    adminStatus: 400,
    fault: 'caller',
    text: { en: 'The body is nested too deeply', zh: '请求体嵌套过深' },
  },
  body_exceeds_cap: {
    status: 413,
    adminStatus: 413,
    fault: 'caller',
    text: { en: 'The body is larger than this route accepts', zh: '请求体过大' },
  },
  body_type_unsupported: {
    status: 415,
    adminStatus: 415,
    fault: 'caller',
    text: {
      en: 'Send the body as uncompressed application/json',
      zh: '请使用未压缩的 application/json 请求体',
    },
  },
  input_invalid: {
    status: 400,
    adminStatus: 200,
    fault: 'caller',
    text: { en: 'Invalid input: {detail}', zh: '无效的参数：{detail}' },
  },
  search_running: {
    status: 429,
    adminStatus: 429,
    fault: 'caller',
    text: { en: 'Your previous searches are still running; please wait', zh: '上一次搜索尚未完成，请稍候' },
  },
  search_too_long: {
    status: 503,
    adminStatus: 503,
    fault: 'gateway',
    text: { en: 'The search took too long; narrow it down', zh: '搜索超时，请缩小搜索范围' },
  },
  id_invalid: {
    status: 400,
    adminStatus: 200,
    fault: 'caller',
    text: {
      en: '{field}: not an id; an id is a whole number above 0',
      zh: '{field}：不是有效的 ID，ID 为正整数',
    },
  },
  text_has_control_characters: {
    status: 400,
    adminStatus: 200,
    fault: 'caller',
    text: { en: '{field}: control characters are not allowed', zh: '{field}：不能包含控制字符' },
  },
  bug_reported: {
    status: 500,
    adminStatus: 500,
    fault: 'gateway',
    text: { en: 'Internal error (error id: {id})', zh: '内部错误（错误编号：{id}）' },
  },
  database_unreachable: {
    status: 503,
    adminStatus: 503,
    fault: 'gateway',
    text: { en: 'The database does not respond', zh: '数据库连接失败' },
  },
  not_found: { status: 404, adminStatus: 200, fault: 'caller', text: { en: 'Not found', zh: '记录不存在' } },
  job_running: {
    status: 409,
    fault: 'caller',
    text: { en: 'This job is already running', zh: '该任务正在运行' },
  },
} as const
