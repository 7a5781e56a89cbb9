import { LOG_TOTAL_MAX, type LogRow, type logRoutes } from '@tollgate/contract/log'
import type { LogFilter } from '@tollgate/store/logs/filter'
import { type LogRowWithChannel, channelNames, listLogs } from '@tollgate/store/logs/logs'
import { narrowed, withUserIds } from '@tollgate/store/logs/pages'
import { countUsage } from '@tollgate/store/usage/sums'
import type { Handler } from '../handler.ts'
import type { Services } from '../services.ts'
import { filterOfAll, filterOfOwn } from './filter.ts'
import { filterFor, rowFor } from './old-console.ts'
import { withContent } from './row-text.ts'
import { type TextReader, withTexts } from './texts.ts'
import { toOwnWireLog, toWireLog } from './wire.ts'
import { type PageQuery, readPage } from '../page.ts'

export function listAllLogs(services: Services): Handler<typeof logRoutes.list> {
  const { options } = services
  return ({ query, actor, address, userHeader, language }) =>
    logPage(services, {
      filter: filterFor(userHeader, filterOfAll(query)),
      query,
      show: (row) => withContent(rowFor(userHeader, toWireLog(row)), { options, language, userHeader }),
      reader: { actor, address, isOwn: false },
    })
}

export function listOwnLogs(services: Services): Handler<typeof logRoutes.listOwn> {
  const { options } = services
  return ({ query, actor, address, userHeader, language }) =>
    logPage(services, {
      filter: filterFor(userHeader, filterOfOwn(query, actor.id)),
      query,
      show: (row) => withContent(rowFor(userHeader, toOwnWireLog(row)), { options, language, userHeader }),
      reader: { actor, address, isOwn: true },
    })
}

interface PageInput {
  readonly filter: LogFilter
  readonly query: PageQuery & { readonly before_id: number | undefined }
  readonly show: (row: LogRowWithChannel) => LogRow
  readonly reader: TextReader
}

/** `before_id` limits the rows but not the total: the reader is paging through the same list. */
function logPage(services: Services, { filter, query, show, reader }: PageInput) {
  const { store, logs = store } = services
  return readPage(query, {
    list: async (page) => {
      const narrow = await narrowed(logs, { ...filter, beforeId: query.before_id }, store)
      return listLogs(logs, narrow, page)
    },
    count: async () => countUsage(logs, await withUserIds(logs, filter, store), LOG_TOTAL_MAX),
    show: async (rows) => {
      const named = logs === store ? rows : await withChannelNames(store, rows)
      return withTexts(services, named.map(show), reader)
    },
  })
}

/** Adds channel names in a second query, because the log may be in another database than the channels. */
export async function withChannelNames(
  store: Services['store'],
  rows: readonly LogRowWithChannel[],
): Promise<readonly LogRowWithChannel[]> {
  const names = await channelNames(store, [...new Set(rows.map((row) => row.channel_id))])
  return rows.map((row) => ({ ...row, channel_name: names.get(row.channel_id) ?? null }))
}
