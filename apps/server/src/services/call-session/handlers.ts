import { callSessionRoutes } from '@tollgate/contract/call-session'
import { type BoundRoute, bind } from '../handler.ts'
import { Searches } from '../searches.ts'
import { getAnySession, getOwnSession } from './get.ts'
import { listAllSessions, listOwnSessions } from './list.ts'
import type { CallSessionServices } from './services.ts'

export function callSessionHandlers(services: CallSessionServices): readonly BoundRoute[] {
  const own = { ...services, searches: new Searches({ statementMs: services.searches.statementMs }) }
  return [
    bind(callSessionRoutes.list, listAllSessions(own)),
    bind(callSessionRoutes.listOwn, listOwnSessions(own)),
    bind(callSessionRoutes.get, getAnySession(own)),
    bind(callSessionRoutes.getOwn, getOwnSession(own)),
  ]
}
