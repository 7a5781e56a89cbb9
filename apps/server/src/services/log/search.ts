import type { LogRow, logRoutes } from '@tollgate/contract/log'
import { type LogSearch, findLogs } from '@tollgate/store/found-logs'
import type { LogRowWithChannel } from '@tollgate/store/logs'
import { listTokens } from '@tollgate/store/tokens'
import type { Handler } from '../handler.ts'
import type { Services } from '../services.ts'
import { keyFilter } from '../token/key.ts'
import { withChannelNames } from './list.ts'
import { type TextReader, withTexts } from './texts.ts'
import { toOwnWireLog, toWireLog } from './wire.ts'

/** What scripts of the family ask for: the newest hundred rows, without pages. */

const ROWS_MAX = 100

export function searchAllLogs(services: Services): Handler<typeof logRoutes.search> {
  return ({ query, actor, address }) =>
    read(services, {
      search: meant(query.keyword),
      show: toWireLog,
      reader: { actor, address, isOwn: false },
    })
}

export function searchOwnLogs(services: Services): Handler<typeof logRoutes.searchOwn> {
  return ({ query, actor, address }) =>
    read(services, {
      search: { ...meant(query.keyword), userId: actor.id },
      show: toOwnWireLog,
      reader: { actor, address, isOwn: true },
    })
}

/** Another's key is as good as none. */
export function listLogsOfToken(services: Services): Handler<typeof logRoutes.listOfToken> {
  return async ({ query, actor, address }) => {
    const token = await tokenMeant(services, { ...query, ownerId: actor.id })
    if (token === undefined) return []
    return read(services, {
      search: { userId: actor.id, tokenId: token },
      show: toOwnWireLog,
      reader: { actor, address, isOwn: true },
    })
  }
}

interface Asked {
  readonly search: LogSearch
  readonly show: (row: LogRowWithChannel) => LogRow
  readonly reader: TextReader
}

async function read(services: Services, { search, show, reader }: Asked): Promise<LogRow[]> {
  const { store, logs = store } = services
  const rows = await findLogs(logs, search, ROWS_MAX)
  const named = await withChannelNames(
    store,
    rows.map((row) => ({ ...row, channel_name: null })),
  )
  return withTexts(services, named.map(show), reader)
}

const TYPE = /^\d{1,3}$/

/** A number is a type as well as the beginning of a text. */
function meant(keyword: string | undefined): LogSearch {
  if (keyword === undefined) return {}
  return { start: keyword, ...(TYPE.test(keyword) && { type: Number(keyword) }) }
}

interface AskedToken {
  readonly ownerId: number
  readonly key: string | undefined
  readonly token_id: number | undefined
}

async function tokenMeant(
  { store }: Services,
  { ownerId, key, token_id: id }: AskedToken,
): Promise<number | undefined> {
  if (id !== undefined) return id
  const { keyHash } = keyFilter(key)
  if (keyHash === undefined) return undefined
  const [token] = await listTokens(store, { ownerId, keyHash }, { offset: 0, limit: 1 })
  return token?.id
}
