import { DatabaseSync } from 'node:sqlite'

export interface PastCall {
  readonly daysAgo: number
  readonly model: string
  readonly quota: number
  /** Default: a charged call. */
  readonly type?: number
}

const DAY_SECONDS = 86_400

/** Writes calls of the first user into the log of a running gateway, dated in past days. */
export function writePastCalls(databasePath: string, calls: readonly PastCall[]): void {
  const database = new DatabaseSync(databasePath)
  database.exec('PRAGMA busy_timeout = 5000')
  const insert = database.prepare(
    `insert into logs (user_id, created_at, type, content, username, token_id, token_name, model_name, quota,
      prompt_tokens, completion_tokens, use_time, duration_ms, first_byte_ms, is_stream, channel_id, group_name, ip, other)
    values (1, ?, ?, '', 'operator', 1, 'prod-web', ?, ?, 1200, 300, 2, 2100, 400, 1, 1, 'default', '', '{}')`,
  )
  const now = Math.floor(Date.now() / 1000)
  for (const { daysAgo, model, quota, type = 2 } of calls)
    insert.run(now - Math.round(daysAgo * DAY_SECONDS) - 60, type, model, quota)
  database.close()
}
