// What the admin routes about usage, logs and tasks do, in Chinese.

/** @type {Readonly<Record<string, string>>} */
export const usageRoutes = {
  'GET /api/data/users': '按小时和用户统计的用量，取时间范围内消费最高的一百个用户',
  'GET /api/data': '按小时和模型统计的用量，针对一个用户或全部用户合计',
  'GET /api/data/self': '本人按小时和模型统计的用量',
  'GET /api/log/channel_affinity_usage_cache': '绑定有效期内，某一会话有多少次调用命中上游的缓存',
  'GET /api/log/session': '所有用户的会话，按最后一次调用排列；取自最近 50000 次带会话的调用',
  'GET /api/log/self/session': '本人的会话，按最后一次调用排列；取自最近 50000 次带会话的调用',
  'GET /api/log/session/:session': '一个会话及其各次调用，按顺序',
  'GET /api/log/self/session/:session': '本人的一个会话及其各次调用，按顺序',
  'GET /api/log': '所有用户的使用日志，最新的在前',
  'GET /api/log/self': '本人的使用日志，最新的在前',
  'GET /api/log/stat': '所有用户使用日志的合计，已扣除退款',
  'GET /api/log/self/stat': '本人使用日志的合计，已扣除退款',
  'GET /api/log/search': '最近一百行某一类型的日志，或内容以某个词开头的日志',
  'GET /api/log/self/search': '本人最近一百行某一类型的日志，或内容以某个词开头的日志',
  'GET /api/log/token':
    '令牌最近的一百行日志：在 `Authorization` 或 `key` 中提供密钥；令牌所有者也可以按编号查询',
  'GET /api/log/export': '导出所有用户的使用日志，最新的在前，不限行数',
  'GET /api/log/self/export': '导出本人的使用日志，最新的在前，不限行数',
  'DELETE /api/log': '删除某一时间之前的使用日志，不删除账本条目和审计记录；返回行数',
  'GET /api/mj': '所有用户的绘图，最新的在前；时间以毫秒计',
  'GET /api/mj/self': '本人的绘图，最新的在前；时间以毫秒计',
  'GET /api/task': '所有用户的歌曲和其他任务，最新的在前；时间以秒计',
  'GET /api/task/self': '本人的歌曲和其他任务，最新的在前；时间以秒计',
  'GET /api/usage/token': '密钥在 `Authorization` 中的令牌的总额度和剩余额度',
  'GET /api/usage': '所有用户的用量随时间的变化，按一个维度（模型、令牌、分组等）',
  'GET /api/usage/self': '本人的用量随时间的变化，按一个维度（模型、令牌、分组等）',
  'GET /api/usage/interrupted': '因网关崩溃而中断的调用，按小时',
  'GET /api/usage/waived': '调用超出上限而免收的金额，按渠道、模型和小时',
}
