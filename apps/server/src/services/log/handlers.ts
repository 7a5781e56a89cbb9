import { logRoutes } from '@tollgate/contract/log'
import { type BoundRoute, bind } from '../handler.ts'
import type { Services } from '../services.ts'
import { listAllLogs, listOwnLogs } from './list.ts'
import { removeOldLogs } from './remove-old.ts'
import { statAllLogs, statOwnLogs } from './stat.ts'

export function logHandlers(services: Services): readonly BoundRoute[] {
  return [
    bind(logRoutes.list, listAllLogs(services)),
    bind(logRoutes.listOwn, listOwnLogs(services)),
    bind(logRoutes.stat, statAllLogs(services)),
    bind(logRoutes.statOwn, statOwnLogs(services)),
    bind(logRoutes.removeOld, removeOldLogs(services)),
  ]
}
