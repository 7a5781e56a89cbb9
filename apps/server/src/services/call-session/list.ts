import { type CallSession, type callSessionRoutes, SESSION_ROWS_MAX } from '@tollgate/contract/call-session'
import {
  countRecentSessions,
  listRecentSessions,
  type RecentSessions,
} from '@tollgate/store/logs/call-sessions'
import type { LogFilter } from '@tollgate/store/logs/filter'
import { withUserIds } from '@tollgate/store/logs/pages'
import type { Handler } from '../handler.ts'
import { type PageQuery, readPage } from '../page.ts'
import { asSearch } from '../searches.ts'
import type { CallSessionServices } from './services.ts'
import { toOwnSession, toSessions } from './wire.ts'

export function listAllSessions(services: CallSessionServices): Handler<typeof callSessionRoutes.list> {
  return ({ query, actor }) =>
    asSearch(services, actor.id, (own) => {
      const filter = { ...filterOf(query), username: query.username }
      return sessionPage(own, { filter, query, show: (session) => session })
    })
}

export function listOwnSessions(services: CallSessionServices): Handler<typeof callSessionRoutes.listOwn> {
  return ({ query, actor }) =>
    asSearch(services, actor.id, (own) =>
      sessionPage(own, { filter: { ...filterOf(query), userId: actor.id }, query, show: toOwnSession }),
    )
}

interface Filters {
  readonly start_timestamp: number
  readonly end_timestamp: number
  readonly client: string | undefined
}

function filterOf({ start_timestamp: from, end_timestamp: until, client }: Filters): LogFilter {
  return { from: from || undefined, until: until || undefined, client }
}

interface SessionPage {
  readonly filter: LogFilter
  readonly query: PageQuery
  readonly show: (session: CallSession) => CallSession
}

async function sessionPage(services: CallSessionServices, { filter, query, show }: SessionPage) {
  const { store, logs = store } = services
  const known = await withUserIds(logs, filter, store)
  const recent: RecentSessions = { filter: known, rowsMax: SESSION_ROWS_MAX }
  return readPage(query, {
    list: (page) => listRecentSessions(logs, recent, page),
    count: () => countRecentSessions(logs, recent),
    show: async (sums) => (await toSessions(store, sums)).map(show),
  })
}
