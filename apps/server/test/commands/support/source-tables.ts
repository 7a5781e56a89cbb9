import { oddChannels, oddTokens, oddUsers } from './source-oddities.ts'
import {
  CHANNELS,
  LOGS,
  type Row,
  TOKENS,
  type Tables,
  USERS,
  channel,
  log,
  token,
  user,
  word,
} from './source-rows.ts'

const CODES = 400

export function makeTables({ passwordHash }: { passwordHash: string }): Tables {
  return {
    setups: [{ id: 1, version: 'v0.3.1', initialized_at: 1_718_000_000 }],
    users: many(USERS, (id) => user(id, passwordHash)).concat(oddUsers(passwordHash)),
    tokens: many(TOKENS, token).concat(oddTokens()),
    channels: many(CHANNELS, channel).concat(oddChannels()),
    abilities: many(CHANNELS, channel).flatMap((row) => abilitiesOf(row)),
    options,
    redemptions: many(CODES, (id) => ({
      id,
      user_id: 1,
      key: word(`code ${id}`, 32),
      status: 1 + (id % 3),
      name: `批次 ${id % 7}`,
      quota: 500_000,
      created_time: 1_718_000_000 + id,
      is_gift: id % 5 === 0,
      max_uses: -1,
      deleted_at: null,
    })),
    top_ups: many(50, (id) => ({
      id,
      user_id: id,
      amount: 10,
      money: 73.5,
      trade_no: `T${id}`,
      status: 'success',
    })),
    tasks: many(20, (id) => ({
      id,
      task_id: `t${id}`,
      user_id: id,
      quota: 7,
      status: 'SUCCESS',
      properties: null,
      data: '{"a":[1]}',
    })),
    quota_data: many(300, (id) => ({
      id,
      user_id: id,
      username: `user${id}`,
      model_name: 'gpt-4o',
      created_at: 3600 * id,
      count: 1,
      quota: 9,
    })),
    logs: many(LOGS, log),
  }
}

function many(count: number, make: (id: number) => Row): Row[] {
  return Array.from({ length: count }, (_, index) => make(index + 1))
}

function abilitiesOf(row: Row): Row[] {
  const groups = String(row['group']).split(',')
  const all = groups.flatMap((group) =>
    ['gpt-4o', 'gpt-4o-mini'].map((model) => ({
      group,
      model,
      channel_id: Number(row['id']),
      enabled: row['status'] === 1,
    })),
  )
  // One row was lost, as a failed save of the source leaves it.
  return row['id'] === 8 ? all.slice(1) : all
}

const options: readonly Row[] = [
  { key: 'SystemName', value: '星辰 API' },
  { key: 'GroupRatio', value: '{"default":1,"vip":0.5}' },
  { key: 'ModelRatio', value: '{"gpt-4o":1.25}' },
  { key: 'QuotaForNewUser', value: '5000' },
  { key: 'RetryTimes', value: 'many' },
  { key: 'SMTPToken', value: 'smtp-secret-1' },
  { key: 'GitHubOAuthEnabled', value: 'true' },
  { key: 'PasswordLoginEnabled', value: 'false' },
  { key: 'theme.frontend', value: 'older release' },
]
