import { LOG_TYPE, type LogRow, type logRoutes } from '@tollgate/contract/log'
import { type LogFilter, type LogRowWithChannel, listLogs } from '@tollgate/store/logs'
import { narrowed } from '@tollgate/store/log-pages'
import { type CsvColumns, csvParts } from '../csv.ts'
import { FileAnswer, type Handler } from '../handler.ts'
import type { Services } from '../services.ts'
import { filterOfAll, filterOfOwn } from './filter.ts'
import { withChannelNames } from './list.ts'
import { toOwnWireLog, toWireLog, withoutTexts } from './wire.ts'

const ROWS_AT_ONCE = 500

/** It leaves the site and shows what everybody did, so it is noted who took it. */
export function exportAllLogs(services: Services): Handler<typeof logRoutes.export> {
  return async ({ query, actor, address }) => {
    const after = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== '' && value !== 0))
    const entry = { action: 'export', entity: 'log', entityId: 'several', after } as const
    await services.audit.write({ actorId: actor.id, ...entry, address })
    const filter = filterOfAll(query)
    return fileOf(services, { filter, format: query.format, columns: COLUMNS, show: toWireLog })
  }
}

export function exportOwnLogs(services: Services): Handler<typeof logRoutes.exportOwn> {
  return async ({ query, actor }) =>
    fileOf(services, {
      filter: filterOfOwn(query, actor.id),
      format: query.format,
      columns: OWN_COLUMNS,
      show: toOwnWireLog,
    })
}

interface ExportInput {
  readonly filter: LogFilter
  readonly format: 'csv' | 'jsonl'
  readonly columns: CsvColumns<LogRow>
  readonly show: (row: LogRowWithChannel) => LogRow
}

async function fileOf(services: Services, input: ExportInput): Promise<FileAnswer> {
  const day = new Date(services.clock.nowMs()).toISOString().slice(0, 10)
  const isCsv = input.format === 'csv'
  return new FileAnswer({
    name: `usage-${day}.${input.format}`,
    type: isCsv ? 'text/csv' : 'application/x-ndjson',
    text: isCsv ? csvParts(input.columns, pages(services, input)) : linesOf(pages(services, input)),
  })
}

/** What was said is read on the page alone. Newest first, read on from the last row, so that it costs the same at any depth; nothing is read ahead of the reader. */
async function* pages(
  { store, logs = store }: Services,
  { filter, show }: ExportInput,
): AsyncGenerator<LogRow[]> {
  const narrow = await narrowed(logs, filter, store)
  let beforeId: number | undefined
  for (;;) {
    const rows = await listLogs(logs, { ...narrow, beforeId }, { offset: 0, limit: ROWS_AT_ONCE })
    const named = logs === store ? rows : await withChannelNames(store, rows)
    if (named.length > 0) yield named.map((row) => withoutTexts(show(row)))
    beforeId = rows.at(-1)?.id
    if (rows.length < ROWS_AT_ONCE) return
  }
}

const FIELDS = [
  'id',
  'created_at',
  'type',
  'user_id',
  'username',
  'token_name',
  'group',
  'model_name',
  'channel',
  'channel_name',
  'is_stream',
  'duration_ms',
  'first_byte_ms',
  'prompt_tokens',
  'completion_tokens',
  'quota',
  'request_id',
  'ip',
  'content',
  'other',
] as const satisfies readonly (keyof LogRow)[]

const OWN_COLUMNS: CsvColumns<LogRow> = FIELDS.map((name) => [name, (row) => cellOf(row, name)])
/** An operator also sees what calls cost, and what was left of them. */
const COLUMNS: CsvColumns<LogRow> = [...OWN_COLUMNS, ['cost', ({ cost }) => cost ?? ''], ['margin', marginOf]]

/** A refund takes back both. */
function marginOf({ type, cost, quota }: LogRow): number | string {
  if (cost === null) return ''
  return type === LOG_TYPE.refund ? cost - quota : quota - cost
}

function cellOf(row: LogRow, name: (typeof FIELDS)[number]): string | number {
  if (name === 'created_at') return new Date(row.created_at * 1000).toISOString()
  const value = row[name]
  return typeof value === 'boolean' ? String(value) : value
}

async function* linesOf(rows: AsyncIterable<LogRow[]>): AsyncGenerator<string> {
  for await (const page of rows) yield page.map((row) => `${JSON.stringify(row)}\n`).join('')
}
