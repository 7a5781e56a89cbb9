import { callerFault, onEveryRoute } from '../definition.ts'

/** Problems that any admin request may have. */
export const adminRequestProblems = {
  too_many_requests: onEveryRoute('caller', 429, {
    en: 'Too many requests; try again in {seconds} seconds',
    zh: '请求次数过多，请在 {seconds} 秒后再试',
  }),
  body_not_json: callerFault(400, { en: 'The body is not valid JSON', zh: '无效的参数' }),
  body_nested_too_deeply: onEveryRoute('caller', 400, {
    en: 'The body is nested too deeply',
    zh: '请求体嵌套过深',
  }),
  body_exceeds_cap: onEveryRoute('caller', 413, {
    en: 'The body is larger than this route accepts',
    zh: '请求体过大',
  }),
  family_field_refused: callerFault(400, {
    en: '{field}: this version does not have it, and it would have no effect; send the request without it',
    zh: '{field}：当前版本不支持该字段，发送后不会生效；请去掉该字段再提交',
  }),
  body_type_unsupported: onEveryRoute('caller', 415, {
    en: 'Send the body as uncompressed application/json',
    zh: '请使用未压缩的 application/json 请求体',
  }),
  input_invalid: callerFault(400, { en: 'Invalid input: {detail}', zh: '无效的参数：{detail}' }),
  search_running: onEveryRoute('caller', 429, {
    en: 'Your previous searches are still running; please wait',
    zh: '上一次搜索尚未完成，请稍候',
  }),
  search_too_long: onEveryRoute('gateway', 503, {
    en: 'The search took too long; narrow it down',
    zh: '搜索超时，请缩小搜索范围',
  }),
  id_invalid: callerFault(400, {
    en: '{field}: not an id; an id is a whole number above 0',
    zh: '{field}：不是有效的 ID，ID 为正整数',
  }),
  text_has_control_characters: callerFault(400, {
    en: '{field}: control characters are not allowed',
    zh: '{field}：不能包含控制字符',
  }),
  bug_reported: onEveryRoute('gateway', 500, {
    en: 'Internal error (error id: {id})',
    zh: '内部错误（错误编号：{id}）',
  }),
  database_unreachable: onEveryRoute('gateway', 503, {
    en: 'The database does not respond',
    zh: '数据库连接失败',
  }),
  disk_full: onEveryRoute('gateway', 503, {
    en: 'The disk of the gateway is full; nothing was changed',
    zh: '网关磁盘已满，未作任何更改',
  }),
  not_found: callerFault(404, { en: 'Not found', zh: '记录不存在' }),
  job_running: callerFault(409, { en: 'This job is already running', zh: '该任务正在运行' }),
}
