import { logRoutes } from '@tollgate/contract/log'
import { type BoundRoute, bind } from '../handler.ts'
import { Searches, searching } from '../searches.ts'
import type { Services } from '../services.ts'
import type { ByKeyServices } from '../token/by-key.ts'
import { exportAllLogs, exportOwnLogs } from './export.ts'
import { listAllLogs, listOwnLogs } from './list.ts'
import { removeOldLogs } from './remove-old.ts'
import { listLogsOfToken } from './of-token.ts'
import { searchAllLogs, searchOwnLogs } from './search.ts'
import { statAllLogs, statOwnLogs } from './stat.ts'

export interface LogServices extends Services, ByKeyServices {
  readonly searches: Searches
}

export function logHandlers(services: LogServices): readonly BoundRoute[] {
  // Statistics get a search queue of their own, because a page requests rows and sums at the same time.
  const forSums = { ...services, searches: new Searches({ statementMs: services.searches.statementMs }) }
  return [
    bind(logRoutes.list, searching(services, listAllLogs)),
    bind(logRoutes.listOwn, searching(services, listOwnLogs)),
    bind(logRoutes.stat, searching(forSums, statAllLogs)),
    bind(logRoutes.statOwn, searching(forSums, statOwnLogs)),
    bind(logRoutes.search, searching(services, searchAllLogs)),
    bind(logRoutes.searchOwn, searching(services, searchOwnLogs)),
    bind(logRoutes.listOfToken, listLogsOfToken(services)),
    bind(logRoutes.export, exportAllLogs(services)),
    bind(logRoutes.exportOwn, exportOwnLogs(services)),
    bind(logRoutes.removeOld, removeOldLogs(services)),
  ]
}
