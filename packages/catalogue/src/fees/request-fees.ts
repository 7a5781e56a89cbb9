import { foldName } from '@tollgate/kit/fold-name'
import { isRecord } from '@tollgate/kit/json'
import type { FeeRequest, FeeRow } from './fee-row.ts'

/** What of a request decides about its fees. */
export interface FeeQuestion {
  readonly body: Readonly<Record<string, unknown>>
  /** All tools of the request. */
  readonly tools: readonly Readonly<Record<string, unknown>>[]
  /** The model as the vendor gets it. */
  readonly model: string
}

/** A fee that a request may cause. */
export interface RequestedFee {
  readonly row: FeeRow
  /** The vendor charges at least one use for every answer. */
  readonly isCertain: boolean
  /** Units of one use. */
  readonly unitsPerUse: number
  /** The most units of the call. */
  readonly most: number
  readonly expected: number
}

/** A limit of the caller's is believed up to this value. */
const LIMIT_MAX = 1_000

/** The fees among `rows` that a request asks for. */
export function listRequestedFees(rows: readonly FeeRow[], question: FeeQuestion): readonly RequestedFee[] {
  return rows.flatMap((row) => {
    if (!isForModel(row, question.model) || !isOfContextSize(row, question.body)) return []
    const matches = row.requests.flatMap((request) => findMatches(request, question))
    return matches.length === 0 ? [] : [boundFee(row, matches, question.body)]
  })
}

/** Whether the row is about this model, by the name that the vendor gets. */
export function isForModel({ models, exceptModels }: FeeRow, model: string): boolean {
  if (exceptModels?.some((name) => model.startsWith(name)) === true) return false
  return models === undefined || models.some((name) => model.startsWith(name))
}

const SIZES = ['low', 'medium', 'high']

/** A size that nobody knows is charged as the largest. */
export function isContextSize({ contextSize }: FeeRow, size: unknown): boolean {
  if (contextSize === undefined) return true
  if (size === undefined || size === null) return contextSize === 'low'
  return typeof size === 'string' && SIZES.includes(size) ? contextSize === size : contextSize === 'high'
}

export function readContextSize(body: Readonly<Record<string, unknown>>): unknown {
  const options = body['web_search_options']
  return (isRecord(options) ? options['search_context_size'] : undefined) ?? body['search_context_size']
}

function isOfContextSize(row: FeeRow, body: Readonly<Record<string, unknown>>): boolean {
  return isContextSize(row, readContextSize(body))
}

interface RequestMatch {
  readonly isCertain: boolean
  /** The tool, plugin or member that asks for the fee. */
  readonly holder: Readonly<Record<string, unknown>>
}

const NOTHING: RequestMatch['holder'] = {}

function findMatches(request: FeeRequest, { body, tools, model }: FeeQuestion): readonly RequestMatch[] {
  const isCertain = request.isCertain === true
  const matches = (holders: readonly RequestMatch['holder'][]) =>
    holders.map((holder) => ({ isCertain, holder }))
  const { type, name } = request
  if (type === 'every') return matches([NOTHING])
  if (type === 'suffix') return model.endsWith(name) ? matches([NOTHING]) : []
  if (type === 'member') return isSwitchedOn(body[name]) ? matches([asRecord(body[name])]) : []
  if (type === 'plugin') return matches(listRecords(body['plugins']).filter((each) => isPlugin(each, name)))
  if (type === 'function') return matches(tools.filter((tool) => asRecord(tool['function'])['name'] === name))
  if (type === 'tool-member')
    return matches(tools.flatMap((tool) => listMembers(tool, name).map((value) => asRecord(value))))
  const ofType = tools.filter((tool) => isToolType(tool['type'], name) && isSwitchedOn(tool[name] ?? true))
  return matches(type === 'tool' ? ofType : ofType.filter(isHosted))
}

/** `web_search` is also `web_search_20250305` and `web_search_2025_08_26`, but not `web_search_preview`. */
export function isToolType(type: unknown, name: string): boolean {
  if (typeof type !== 'string' || !type.startsWith(name)) return false
  const rest = type.slice(name.length)
  return rest === '' || /^[_-]\d[\d_-]*$/.test(rest)
}

function isHosted(tool: Readonly<Record<string, unknown>>): boolean {
  const { type } = asRecord(tool['environment'])
  return typeof type === 'string' && type.startsWith('container')
}

function isPlugin(plugin: Readonly<Record<string, unknown>>, name: string): boolean {
  return plugin['id'] === name && plugin['enabled'] !== false
}

function isSwitchedOn(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === '') return false
  if (!isRecord(value)) return true
  return value['enable'] !== false && value['enabled'] !== false && value['mode'] !== 'off'
}

function listMembers(tool: Readonly<Record<string, unknown>>, name: string): readonly unknown[] {
  const folded = foldName(name)
  return Object.keys(tool)
    .filter((key) => foldName(key) === folded && (tool[key] ?? undefined) !== undefined)
    .map((key) => tool[key])
}

function boundFee(
  row: FeeRow,
  matches: readonly RequestMatch[],
  body: Readonly<Record<string, unknown>>,
): RequestedFee {
  const holders = matches.map(({ holder }) => holder)
  const unitsPerUse = Math.max(...holders.map((holder) => countUnits(row, holder)))
  const bound = Math.max(...holders.map((holder) => boundUses(row, holder, body)))
  const most = bound * unitsPerUse
  return {
    row,
    isCertain: matches.some(({ isCertain }) => isCertain),
    unitsPerUse,
    most,
    expected: Math.min(row.expected * unitsPerUse, most),
  }
}

function countUnits({ perUse, isByMemory }: FeeRow, holder: RequestMatch['holder']): number {
  if (isByMemory === true) return readMemoryWeight(holder)
  if (perUse === undefined) return 1
  const member = perUse.member
  return readLimit(holder[member] ?? asRecord(holder['parameters'])[member]) ?? perUse.usual
}

/** Sizes of containers, by their price in units of the smallest. */
const WEIGHTS = new Map([
  ['1g', 1],
  ['4g', 4],
  ['16g', 16],
  ['64g', 64],
])
const LARGEST_WEIGHT = 64

/** The price of the container that a tool asks for, in units of the smallest; an unknown size is the largest. */
export function readMemoryWeight(tool: Readonly<Record<string, unknown>>): number {
  const place = { ...asRecord(tool['container']), ...asRecord(tool['environment']) }
  const size = place['memory_limit'] ?? '1g'
  return typeof size === 'string' ? (WEIGHTS.get(size.toLowerCase()) ?? LARGEST_WEIGHT) : LARGEST_WEIGHT
}

function boundUses(
  { most, mostAt, unit }: FeeRow,
  holder: RequestMatch['holder'],
  body: Readonly<Record<string, unknown>>,
): number {
  if (mostAt !== undefined) return readLimit(holder[mostAt]) ?? most
  // Containers are charged once, and requests too, however often their tools run.
  if (most === 1 || unit === 'container') return most
  return readLimit(holder['max_uses']) ?? readLimit(body['max_tool_calls']) ?? most
}

function readLimit(value: unknown): number | undefined {
  const isLimit = typeof value === 'number' && Number.isInteger(value) && value > 0
  return isLimit ? Math.min(value, LIMIT_MAX) : undefined
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : NOTHING
}

function listRecords(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}
