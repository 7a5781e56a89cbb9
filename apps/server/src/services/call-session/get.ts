import { type callSessionRoutes, SESSION_CALLS_MAX } from '@tollgate/contract/call-session'
import { problem } from '@tollgate/problems/problem'
import { listCallsOfSession, sumSessions } from '@tollgate/store/logs/call-sessions'
import type { Handler } from '../handler.ts'
import { withChannelNames } from '../log/list.ts'
import { withContent } from '../log/row-text.ts'
import { toOwnWireLog, toWireLog, withoutTexts } from '../log/wire.ts'
import { asSearch } from '../searches.ts'
import type { CallSessionServices } from './services.ts'
import { toOwnSession, toSessions } from './wire.ts'

export function getAnySession(services: CallSessionServices): Handler<typeof callSessionRoutes.get> {
  const { options } = services
  return ({ params, query, actor, language, userHeader }) =>
    asSearch(services, actor.id, async (own) => {
      const { session, rows } = await read(own, { name: params.session, afterId: query.after_id })
      const reader = { options, language, userHeader }
      return { session, calls: rows.map((row) => withoutTexts(withContent(toWireLog(row), reader))) }
    })
}

/** The session of another user is not found, like one that does not exist. */
export function getOwnSession(services: CallSessionServices): Handler<typeof callSessionRoutes.getOwn> {
  const { options } = services
  return ({ params, query, actor, language, userHeader }) =>
    asSearch(services, actor.id, async (own) => {
      const asked = { name: params.session, afterId: query.after_id, ownerId: actor.id }
      const { session, rows } = await read(own, asked)
      const reader = { options, language, userHeader }
      const calls = rows.map((row) => withoutTexts(withContent(toOwnWireLog(row), reader)))
      return { session: toOwnSession(session), calls }
    })
}

interface Asked {
  readonly name: string
  readonly afterId: number | undefined
  readonly ownerId?: number
}

async function read({ store, logs = store }: CallSessionServices, { name, afterId, ownerId }: Asked) {
  const sums = (await sumSessions(logs, [name])).get(name)
  if (sums === undefined || (ownerId !== undefined && sums.userId !== ownerId)) throw problem('not_found')
  const rows = await listCallsOfSession(logs, { session: name, afterId }, SESSION_CALLS_MAX)
  const [session] = await toSessions(store, [sums])
  if (session === undefined) throw problem('not_found')
  return { session, rows: logs === store ? rows : await withChannelNames(store, rows) }
}
