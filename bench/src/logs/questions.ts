import { withTokenUserIds, narrowed, withUserIds } from '@tollgate/store/logs/pages'
import type { LogFilter } from '@tollgate/store/logs/filter'
import { listLogs } from '@tollgate/store/logs/logs'
import type { Db } from '@tollgate/store/tables/schema'
import type { UsageKey } from '@tollgate/store/usage/parts'
import { usageSeries } from '@tollgate/store/usage/series'
import { countUsage, sumUsage } from '@tollgate/store/usage/sums'
import { DAYS, LAST_SECOND } from './fill-log.ts'

export interface Question {
  readonly label: string
  readonly ask: () => Promise<unknown>
}

const DAY = 86_400
const HOUR = 3600
const TOTAL_MAX = 100_000
const KEYS_MAX = 10

const month = { from: LAST_SECOND - DAYS * DAY, until: LAST_SECOND }
const filters: Readonly<Record<string, LogFilter>> = {
  today: { from: LAST_SECOND - DAY, until: LAST_SECOND + HOUR },
  'the whole month': month,
  'ten years': { from: LAST_SECOND - 3650 * DAY, until: LAST_SECOND },
  'a day three weeks ago': { from: LAST_SECOND - 21 * DAY, until: LAST_SECOND - 20 * DAY },
  'a busy model': { ...month, modelName: 'model-0' },
  'a rare model': { ...month, modelName: 'model-28' },
  'a busy model, a day three weeks ago': {
    from: LAST_SECOND - 21 * DAY,
    until: LAST_SECOND - 20 * DAY,
    modelName: 'model-0',
  },
  'models by a pattern': { ...month, modelName: 'model-3%' },
  'no such model': { ...month, modelName: 'none' },
  'a busy channel': { ...month, channelId: 1 },
  'a rare channel': { ...month, channelId: 40 },
  'a busy user': { ...month, username: 'user1' },
  'a rare user': { ...month, username: 'user304' },
  'no such user': { ...month, username: 'nobody' },
  'a busy token': { ...month, tokenName: 'token-0-0' },
  'a rare token': { ...month, tokenName: 'token-0-165' },
  'a small group': { ...month, group: 'vip' },
  'a rare group': { ...month, group: 'rare' },
  'a group with a few hundred calls': { ...month, group: 'seldom' },
  'a group with a call in five thousand': { ...month, group: 'some' },
  'a rare group, errors': { ...month, group: 'rare', type: 8 },
  'no such group': { ...month, group: 'none' },
  'no such pattern': { ...month, modelName: '%none%' },
  'a rare pattern': { ...month, modelName: '%el-28%' },
  'a token and a model': { ...month, tokenName: 'token-0-0', modelName: 'model-3' },
  'no call of a user with a model': { ...month, userId: 1, modelName: 'model-28' },
  'top-ups': { ...month, type: 1 },
  errors: { ...month, type: 8 },
  'none of a type': { ...month, type: 3 },
  'a user, a model and a group': { ...month, username: 'user7', modelName: 'model-3', group: 'default' },
  'own, busy': { ...month, userId: 1 },
  'own, rare': { ...month, userId: 304 },
  'one call': { requestId: 'call-123456' },
}

/** Filters for the charts by token and by user. */
const ofOne: Readonly<Record<string, LogFilter>> = {
  'a busy model': { modelName: 'model-0' },
  'a rare model': { modelName: 'model-28' },
  'nearly all, a group': { group: 'default' },
  'a small group': { group: 'vip' },
  'a busy channel': { channelId: 1 },
  'a rare channel': { channelId: 40 },
}
/** Filters for the charts by model. */
const ofOwner: Readonly<Record<string, LogFilter>> = {
  'a busy user': { username: 'user1' },
  'a busy token': { tokenName: 'token-0-0' },
}

/** The queries of the log page and the dashboard, as their routes make them. */
export function questionsOf(db: Db): readonly Question[] {
  const page = async (filter: LogFilter, offset = 0) => {
    const [rows] = await Promise.all([
      narrowed(db, filter).then((narrow) => listLogs(db, narrow, { offset, limit: 100 })),
      withUserIds(db, { ...filter, beforeId: undefined }).then((known) => countUsage(db, known, TOTAL_MAX)),
    ])
    return rows
  }
  const entries = Object.entries(filters)
  return [
    ...entries.map(([label, filter]) => ({ label: `page: ${label}`, ask: () => page(filter) })),
    { label: 'page: the whole month, page 1,000 by its number', ask: () => page(month, 99_900) },
    {
      label: 'page: the whole month, read on from row 500,000',
      ask: () => page({ ...month, beforeId: 500_000 }),
    },
    ...entries
      .filter(([, { type }]) => type === undefined)
      .map(([label, filter]) => ({
        label: `badges: ${label}`,
        ask: async () => sumUsage(db, { ...(await withUserIds(db, filter)), type: 2 }),
      })),
    ...(['model', 'group', 'channel', 'token', 'user'] as const).flatMap((by) => [
      chart(db, { label: `a month by day and ${by}`, by }),
      chart(db, { label: `a month by day in China and ${by}`, by, shiftSeconds: 8 * HOUR }),
    ]),
    ...Object.entries(ofOne).flatMap(([label, filter]) =>
      (['token', 'user'] as const).flatMap((by) => [
        chart(db, { label: `a month of ${label} by day and ${by}`, by, filter }),
        chart(db, {
          label: `a month of ${label} by day in China and ${by}`,
          by,
          filter,
          shiftSeconds: 8 * HOUR,
        }),
      ]),
    ),
    ...Object.entries(ofOwner).map(([label, filter]) =>
      chart(db, {
        label: `a month of ${label} by day in China and model`,
        by: 'model',
        filter,
        shiftSeconds: 8 * HOUR,
      }),
    ),
    chart(db, { label: 'two weeks by hour and model', by: 'model', days: 14, seconds: HOUR }),
    chart(db, {
      label: "one's own month by day in China and model, busy",
      by: 'model',
      filter: { userId: 1 },
      shiftSeconds: 8 * HOUR,
    }),
  ]
}

interface Chart {
  readonly label: string
  readonly by: UsageKey
  readonly filter?: LogFilter
  readonly days?: number
  readonly seconds?: number
  readonly shiftSeconds?: number
}

function chart(db: Db, { label, by, filter, days = DAYS, seconds = DAY, shiftSeconds = 0 }: Chart): Question {
  const range = { from: LAST_SECOND - days * DAY, until: LAST_SECOND, types: [2, 8] }
  return {
    label: `dashboard: ${label}`,
    ask: async () => {
      const known = await withTokenUserIds(db, { filter: { ...range, ...filter }, by })
      return usageSeries(db, { filter: known, by, step: { seconds, shiftSeconds }, keysMax: KEYS_MAX })
    },
  }
}
