import { formatFee } from '@tollgate/catalogue/fees/fee-titles'
import type { LogRow, logRoutes } from '@tollgate/contract/log'
import { logTypeText } from '@tollgate/contract/log-event/type-words'
import type { Language } from '@tollgate/problems/problem'
import { netQuota } from '@tollgate/contract/net-quota'
import { LOG_TYPE } from '@tollgate/kit/codes'
import { isRecord, parseObject } from '@tollgate/kit/json'
import type { LogFilter } from '@tollgate/store/logs/filter'
import { type LogRowWithChannel, listLogs } from '@tollgate/store/logs/logs'
import { narrowed } from '@tollgate/store/logs/pages'
import { type CsvColumns, csvParts } from '../csv.ts'
import { currencyAmount } from '../currency-amount.ts'
import { FileAnswer, type Handler } from '../handler.ts'
import type { Options, Services } from '../services.ts'
import { filterOfAll, filterOfOwn } from './filter.ts'
import { withChannelNames } from './list.ts'
import { withExportedContent } from './row-text.ts'
import { toOwnWireLog, toWireLog, withoutTexts } from './wire.ts'

const ROWS_AT_ONCE = 500

/** The export shows the activity of all users and leaves the site, so it is recorded in the audit trail. */
export function exportAllLogs(services: Services): Handler<typeof logRoutes.export> {
  const { options } = services
  return async (call) => {
    const { query, language, userHeader } = call
    const after = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== '' && value !== 0))
    await services.audit(call, { action: 'export', entity: 'log', entityId: 'several', after })
    const filter = filterOfAll(query)
    return fileOf(services, {
      filter,
      format: query.format,
      columns: allColumns(services, language),
      show: (row) => withExportedContent(toWireLog(row), { options, language, userHeader }),
    })
  }
}

export function exportOwnLogs(services: Services): Handler<typeof logRoutes.exportOwn> {
  const { options } = services
  return async ({ query, actor, language, userHeader }) =>
    fileOf(services, {
      filter: filterOfOwn(query, actor.id),
      format: query.format,
      columns: ownColumns(services, language),
      show: (row) => withExportedContent(toOwnWireLog(row), { options, language, userHeader }),
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

/**
 * Exports contain no prompt or response texts; those are shown in the console only. Rows come newest first,
 * and each page continues from the last row's id, so that its cost does not grow with depth. No page is read
 * before the reader needs it.
 */
async function* pages(
  { store, logs = store }: Services,
  { filter, show }: ExportInput,
): AsyncGenerator<LogRow[]> {
  const narrow = await narrowed(logs, filter, store)
  let beforeId: number | undefined
  for (;;) {
    const rows = await listLogs(logs, { ...narrow, beforeId }, { offset: 0, limit: ROWS_AT_ONCE })
    const named = logs === store ? rows : await withChannelNames(store, rows)
    if (named.length > 0) yield named.map((row) => signed(withoutTexts(show(row))))
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
  'cached_tokens',
  'quota',
  'request_id',
  'session',
  'client',
  'client_version',
  'ip',
  'content',
  'other',
] as const satisfies readonly (keyof LogRow)[]

/** What the vendor took beside tokens, each with its number. */
function describeFees(other: LogRow['other'], language: Language): string {
  const fees = parseObject(other)?.['tool_surcharges']
  if (!Array.isArray(fees)) return ''
  return fees
    .filter(isRecord)
    .map(({ name, count }) => `${formatFee(String(name), language)} × ${String(count)}`)
    .join('; ')
}

/** Adds the type as a word after its number, and the amount in the site's currency after the quota. */
function ownColumns({ options }: Services, language: Language): CsvColumns<LogRow> {
  const beside: Partial<Record<keyof LogRow, CsvColumns<LogRow>>> = {
    type: [['type_name', ({ type }) => logTypeText(type, language)]],
    quota: [
      ['amount', ({ quota }) => amount(options, quota)],
      ['fees', ({ other }) => describeFees(other, language)],
    ],
  }
  return FIELDS.flatMap((name) => [
    [name, (row: LogRow) => cellOf(row, name)] as const,
    ...(beside[name] ?? []),
  ])
}

/** An operator also sees the upstream cost and the margin of each call. */
function allColumns(services: Services, language: Language): CsvColumns<LogRow> {
  const { options } = services
  return [
    ...ownColumns(services, language),
    ['upstream_request_id', ({ upstream_request_id: id }) => id],
    ['cost', ({ cost }) => cost ?? ''],
    ['cost_amount', ({ cost }) => (cost === null ? '' : amount(options, cost))],
    ['margin', ({ cost, quota }) => (cost === null ? '' : quota - cost)],
    ['margin_amount', ({ cost, quota }) => (cost === null ? '' : amount(options, quota - cost))],
  ]
}

function amount(options: Options, units: number): number {
  return currencyAmount(BigInt(units), options.get('QuotaPerUnit'))
}

/** Columns of a file get summed up, so the amount of a refund row has a negative sign. */
function signed(row: LogRow): LogRow {
  if (row.type !== LOG_TYPE.refund) return row
  return { ...row, quota: netQuota(row), cost: row.cost === null ? null : 0 - row.cost }
}

function cellOf(row: LogRow, name: (typeof FIELDS)[number]): string | number {
  if (name === 'created_at') return new Date(row.created_at * 1000).toISOString()
  const value = row[name]
  return typeof value === 'boolean' ? String(value) : value
}

async function* linesOf(rows: AsyncIterable<LogRow[]>): AsyncGenerator<string> {
  for await (const page of rows) yield page.map((row) => `${JSON.stringify(row)}\n`).join('')
}
