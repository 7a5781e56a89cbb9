import type { LogRow, logRoutes } from '@tollgate/contract/log'
import { problem } from '@tollgate/problems/problem'
import { findLogs } from '@tollgate/store/logs/found-logs'
import { listTokens } from '@tollgate/store/accounts/tokens'
import type { Actor, Handler } from '../handler.ts'
import type { Services } from '../services.ts'
import { type ByKeyServices, tokenByKey } from '../token/by-key.ts'
import { type SentKey, keyFilter, readSentKey } from '../token/key.ts'
import { ROWS_MAX, readRows } from './search.ts'
import { type LogReader, withContent } from './row-text.ts'
import { toOwnWireLog, withoutTexts } from './wire.ts'

/**
 * A signed-in user can read the log of each of their tokens, by key or by id. A caller who is not signed in
 * can read the log of the token whose key they present.
 */
export function listLogsOfToken(services: Services & ByKeyServices): Handler<typeof logRoutes.listOfToken> {
  const { options } = services
  return async ({ query, actor, address, presentedKey, language, userHeader }) => {
    const reader = { options, language, userHeader }
    if (actor !== undefined) return ownRows(services, { query, actor, address, reader })
    const sent = presentedKey ?? readSentKey(query.key)
    if (sent === undefined) throw problem('not_signed_in')
    return rowsOfKey(services, { sent, address, reader })
  }
}

interface Named {
  readonly key: string | undefined
  readonly token_id: number | undefined
}

/** A key of another user gives an empty list, like an unknown key. */
async function ownRows(
  services: Services,
  { query, actor, address, reader }: { query: Named; actor: Actor; address: string; reader: LogReader },
): Promise<LogRow[]> {
  const token = query.token_id ?? (await ownTokenOf(services, { key: query.key, ownerId: actor.id }))
  if (token === undefined) return []
  return readRows(services, {
    search: { userId: actor.id, tokenId: token },
    show: (row) => withContent(toOwnWireLog(row), reader),
    reader: { actor, address, isOwn: true },
  })
}

async function ownTokenOf(
  { store }: Services,
  { key, ownerId }: { key: string | undefined; ownerId: number },
): Promise<number | undefined> {
  const { keyHash } = keyFilter(key)
  if (keyHash === undefined) return undefined
  const [token] = await listTokens(store, { ownerId, keyHash }, { offset: 0, limit: 1 })
  return token?.id
}

/**
 * A key may be shared with others, so rows found by it contain neither prompts and responses nor IP
 * addresses.
 */
async function rowsOfKey(
  services: Services & ByKeyServices,
  { reader, ...shown }: { sent: SentKey; address: string; reader: LogReader },
): Promise<LogRow[]> {
  const { id, owner } = tokenByKey(services, shown)
  const { store, logs = store } = services
  const rows = await findLogs(logs, { userId: owner.id, tokenId: id }, ROWS_MAX)
  const unnamed = rows.map((row) => ({ ...row, channel_name: null }))
  return unnamed.map((row) => ({ ...withoutTexts(withContent(toOwnWireLog(row), reader)), ip: '' }))
}
