import type { LogRow, logRoutes } from '@tollgate/contract/log'
import { eventsBeginning } from '@tollgate/contract/log-event/events-beginning'
import { type FoundLog, type LogSearch, findLogs } from '@tollgate/store/logs/found-logs'
import type { LogRowWithChannel } from '@tollgate/store/logs/logs'
import type { Handler } from '../handler.ts'
import type { Services } from '../services.ts'
import { withChannelNames } from './list.ts'
import { rowFor } from './old-console.ts'
import { oldContent, withContent } from './row-text.ts'
import { type TextReader, withTexts } from './texts.ts'
import { otherMembers, toOwnWireLog, toWireLog } from './wire.ts'

/** For scripts written for new-api: the newest hundred rows, without paging. */

export const ROWS_MAX = 100

export function searchAllLogs(services: Services): Handler<typeof logRoutes.search> {
  const { options } = services
  return ({ query, actor, address, userHeader, language }) =>
    readRows(services, {
      search: meant(query.keyword),
      show: (row) => withContent(rowFor(userHeader, toWireLog(row)), { options, language, userHeader }),
      reader: { actor, address, isOwn: false },
    })
}

export function searchOwnLogs(services: Services): Handler<typeof logRoutes.searchOwn> {
  const { options } = services
  return ({ query, actor, address, userHeader, language }) =>
    readRows(services, {
      search: { ...meant(query.keyword), userId: actor.id },
      show: (row) => withContent(rowFor(userHeader, toOwnWireLog(row)), { options, language, userHeader }),
      reader: { actor, address, isOwn: true },
    })
}

interface Asked {
  readonly search: LogSearch
  readonly show: (row: LogRowWithChannel) => LogRow
  readonly reader: TextReader
}

export async function readRows(services: Services, { search, show, reader }: Asked): Promise<LogRow[]> {
  const rows = await newestRows(services, search)
  const named = await withChannelNames(
    services.store,
    rows.map((row) => ({ ...row, channel_name: null })),
  )
  return withTexts(services, named.map(show), reader)
}

/** For rows with an event the database can only find candidates, because their text is generated here. */
const CANDIDATES_AT_ONCE = 500

async function newestRows({ store, logs = store, options }: Services, search: LogSearch) {
  const { start, type, events = [] } = search
  if (start === undefined || events.length === 0) return findLogs(logs, search, ROWS_MAX)
  const begins = ({ content, type: ofRow, other }: FoundLog) =>
    content !== '' || ofRow === type || isBeginning(start, oldContent(otherMembers(other), options) ?? '')
  const found: FoundLog[] = []
  for (let beforeId: number | undefined; found.length < ROWS_MAX;) {
    const rows = await findLogs(logs, { ...search, beforeId }, CANDIDATES_AT_ONCE)
    found.push(...rows.filter(begins))
    beforeId = rows.at(-1)?.id
    if (rows.length < CANDIDATES_AT_ONCE) break
  }
  return found.slice(0, ROWS_MAX)
}

/** Most databases compare text without regard to case as well. */
function isBeginning(start: string, content: string): boolean {
  return content.toLowerCase().startsWith(start.toLowerCase())
}

const TYPE = /^\d{1,3}$/

/** A numeric keyword matches a log type as well as the beginning of a text. */
function meant(keyword: string | undefined): LogSearch {
  if (keyword === undefined) return {}
  const events = eventsBeginning(keyword)
  return { start: keyword, events, ...(TYPE.test(keyword) && { type: Number(keyword) }) }
}
