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
} from './source-rows.ts'
import {
  CODES,
  DRAWINGS,
  HOURS,
  ORDERS,
  TASKS,
  code,
  drawing,
  giftUses,
  oddCodes,
  oddOrders,
  order,
  task,
  usageHour,
} from './source-trade.ts'

export function makeTables({ passwordHash }: { passwordHash: string }): Tables {
  return {
    setups: [{ id: 1, version: 'v0.3.1', initialized_at: 1_718_000_000 }],
    users: many(USERS, (id) => user(id, passwordHash)).concat(oddUsers(passwordHash)),
    tokens: many(TOKENS, token).concat(oddTokens()),
    channels: many(CHANNELS, channel).concat(oddChannels()),
    abilities: many(CHANNELS, channel).flatMap((row) => abilitiesOf(row)),
    options,
    redemptions: many(CODES, code).concat(oddCodes()),
    redemption_logs: giftUses(),
    top_ups: many(ORDERS, order).concat(oddOrders()),
    tasks: many(TASKS, task),
    midjourneys: many(DRAWINGS, drawing),
    quota_data: many(HOURS, usageHour),
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
  // Channel 8 lacks one `abilities` row, as after a failed save in the source.
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
