import { isRecord } from '@tollgate/kit/json'

/** One row of the route table of an advanced channel, as it is typed. */
export interface RouteRow {
  readonly incoming: string
  readonly upstream: string
  readonly converter: string
  /** Names and `re:` patterns, one per line or separated by commas. */
  readonly models: string
  readonly auth: RouteAuth
  readonly authName: string
  readonly authValue: string
  /** Members without a field in the form; they are kept unchanged. */
  readonly others: Readonly<Record<string, unknown>>
}

export const routeAuths = ['bearer', 'none', 'header', 'query'] as const
export type RouteAuth = (typeof routeAuths)[number]

export const newRoute: RouteRow = {
  incoming: '/v1/chat/completions',
  upstream: '/v1/chat/completions',
  converter: 'none',
  models: '',
  auth: 'bearer',
  authName: '',
  authValue: '',
  others: {},
}

/** `undefined` if rows cannot represent the table; the table is then edited as JSON text. */
export function routeRows(table: unknown): readonly RouteRow[] | undefined {
  if (table === undefined) return []
  if (!Array.isArray(table)) return undefined
  const rows = table.map(rowOf).filter((row) => row !== undefined)
  return rows.length === table.length ? rows : undefined
}

/** The table as it is stored; fields that were left empty are not written. */
export function routeTable(rows: readonly RouteRow[]): readonly object[] | undefined {
  return rows.length === 0 ? undefined : rows.map(routeOf)
}

export type RouteFault = 'incoming' | 'upstream' | 'authName' | 'pattern'

/** The first mistake in a row. */
export function routeFault(row: RouteRow): RouteFault | undefined {
  if (!/^\/\S*$/.test(row.incoming.trim())) return 'incoming'
  if (!/^(?:\/|https?:\/\/)\S*$/.test(row.upstream.trim())) return 'upstream'
  if (needsName(row.auth) && row.authName.trim() === '') return 'authName'
  return modelsOf(row.models).every(isReadable) ? undefined : 'pattern'
}

export function needsName(auth: RouteAuth): boolean {
  return auth === 'header' || auth === 'query'
}

function rowOf(value: unknown): RouteRow | undefined {
  const route = isRecord(value) ? value : undefined
  const {
    incoming_path: incoming = '',
    upstream_path: upstream = '',
    converter = '',
    models = [],
    auth: shown = {},
    ...others
  } = route ?? {}
  const {
    type = 'bearer',
    name = '',
    value: authValue = '',
    ...more
  } = isRecord(shown) ? shown : { more: shown }
  const auth = routeAuths.find((one) => one === type)
  const texts = [incoming, upstream, converter, name, authValue]
  const isShown = route !== undefined && Object.keys(more).length === 0 && isTexts(models) && isTexts(texts)
  if (!isShown || auth === undefined) return undefined
  const [first = '', second = '', third = '', fourth = '', fifth = ''] = texts
  return {
    incoming: first,
    upstream: second,
    converter: third,
    models: models.join('\n'),
    auth,
    authName: fourth,
    authValue: fifth,
    others,
  }
}

function routeOf(row: RouteRow): object {
  const { incoming, upstream, converter, auth, authName, authValue, others } = row
  const models = modelsOf(row.models)
  const key = authValue.trim()
  return {
    incoming_path: incoming.trim(),
    upstream_path: upstream.trim(),
    converter: converter.trim() || undefined,
    models: models.length > 0 ? models : undefined,
    auth: {
      type: auth,
      name: needsName(auth) ? authName.trim() : undefined,
      value: needsName(auth) && key !== '' ? key : undefined,
    },
    ...others,
  }
}

/** A pattern may contain commas, so it ends at the end of its line. */
function modelsOf(text: string): readonly string[] {
  return text
    .split('\n')
    .flatMap((line) => (line.trim().startsWith('re:') ? [line] : line.split(',')))
    .map((name) => name.trim())
    .filter((name) => name !== '')
}

function isReadable(name: string): boolean {
  if (!name.startsWith('re:')) return true
  try {
    return new RegExp(name.slice(3)) instanceof RegExp
  } catch {
    return false
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}
