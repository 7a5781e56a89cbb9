import { LOG_TOTAL_MAX, type LogRow, type logRoutes } from '@tollgate/contract/log'
import {
  type LogFilter,
  type LogRowWithChannel,
  channelNames,
  countLogs,
  listLogs,
} from '@tollgate/store/logs'
import type { Handler } from '../handler.ts'
import type { Services } from '../services.ts'
import { filterOfAll, filterOfOwn } from './filter.ts'
import { toOwnWireLog, toWireLog } from './wire.ts'

export function listAllLogs(services: Services): Handler<typeof logRoutes.list> {
  return ({ query }) => readPage(services, { filter: filterOfAll(query), query, show: toWireLog })
}

export function listOwnLogs(services: Services): Handler<typeof logRoutes.listOwn> {
  return ({ query, actor }) =>
    readPage(services, { filter: filterOfOwn(query, actor.id), query, show: toOwnWireLog })
}

interface PageInput {
  readonly filter: LogFilter
  readonly query: {
    readonly p: number
    readonly page_size: number
    readonly before_id: number | undefined
  }
  readonly show: (row: LogRowWithChannel) => LogRow
}

/** `before_id` narrows the rows, not the total: the reader goes on in the same list. */
async function readPage({ store, logs = store }: Services, { filter, query, show }: PageInput) {
  const page = { offset: (query.p - 1) * query.page_size, limit: query.page_size }
  const [rows, total] = await Promise.all([
    listLogs(logs, { ...filter, beforeId: query.before_id }, page),
    countLogs(logs, filter, LOG_TOTAL_MAX),
  ])
  const named = logs === store ? rows : await withChannelNames(store, rows)
  return { items: named.map(show), total, page: query.p, page_size: query.page_size }
}

/** Channels are not where the log is. */
async function withChannelNames(
  store: Services['store'],
  rows: readonly LogRowWithChannel[],
): Promise<readonly LogRowWithChannel[]> {
  const names = await channelNames(store, [...new Set(rows.map((row) => row.channel_id))])
  return rows.map((row) => ({ ...row, channel_name: names.get(row.channel_id) ?? null }))
}
