import { isRecord, recordAt, textAt, type JsonObject } from '@tollgate/dialects/json'
import { RE2JS, RE2JSException } from 're2js'
import { openaiPaths } from '../define/openai.ts'
import { isAddressForModels } from '../define/url.ts'
import type { Endpoint } from '../provider.ts'

type OpenAiOperation = keyof typeof openaiPaths
export type RouteOperation = OpenAiOperation | 'messages' | 'generate'

/**
 * One row of the operator's table: which path is served for which models, the upstream path, and how the key
 * is sent.
 */
export interface Route {
  /** The path that clients call. */
  readonly incoming: string
  /** The operation that the upstream is called with. */
  readonly operation: RouteOperation
  /** A path below the base URL, or an absolute URL; `{model}` is replaced with the model. */
  readonly path: string
  /** Absent: all models. */
  readonly models: Endpoint['models'] | undefined
  readonly auth: RouteAuth
}

export type RouteAuth =
  | { readonly type: 'bearer' | 'none' }
  /** `value` contains the placeholder `{api_key}` for the key. */
  | { readonly type: 'header' | 'query'; readonly name: string; readonly value: string }

/**
 * Reads the rows of a channel's route table. Rows that are not valid routes are left out; if two routes
 * match a call, the first one is used.
 */
export function readRoutes(table: readonly JsonObject[]): readonly Route[] {
  const routes = table.flatMap(readRoute)
  return routes.map((route, index) => without(route, routes.slice(0, index)))
}

/** A member of a route that is missing or not understood. */
interface WrongMember {
  /** The row number, counted from 1. */
  readonly place: number
  readonly member: 'incoming_path' | 'converter' | 'upstream_path' | 'models' | 'auth'
}

/**
 * Finds the first row of a table that would be left out, or that would be read as something other than it
 * says.
 */
export function findInvalidRoute(table: readonly unknown[]): WrongMember | undefined {
  for (const [index, row] of table.entries()) {
    const member = wrongMember(isRecord(row) ? row : {})
    if (member !== undefined) return { place: index + 1, member }
  }
  return undefined
}

function wrongMember(row: JsonObject): WrongMember['member'] | undefined {
  const { models, auth = {}, converter = NO_CONVERTER } = row
  const incoming = textAt(row, 'incoming_path')
  if (incoming === undefined) return 'incoming_path'
  if (typeof converter !== 'string') return 'converter'
  if (operationOf(incoming, converter) === undefined)
    return targetOf(converter) === undefined ? 'incoming_path' : 'converter'
  const path = textAt(row, 'upstream_path') ?? ''
  if (!ADDRESS.test(path) || !isAddressForModels(path)) return 'upstream_path'
  if (models !== undefined && !isTexts(models)) return 'models'
  if (readModels(models) === 'unreadable') return 'models'
  return isRecord(auth) && readAuth(auth).type === (auth['type'] ?? 'bearer') ? undefined : 'auth'
}

/** A path below the base URL, or an absolute URL. */
const ADDRESS = /^(?:\/|https?:\/\/)\S*$/

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

/** Restricts a route to the models that no earlier route of the same incoming path covers. */
function without(route: Route, earlier: readonly Route[]): Route {
  const before = earlier.filter(({ incoming }) => incoming === route.incoming)
  if (before.length === 0) return route
  const isTaken = (model: string) => before.some(({ models }) => models?.test(model) ?? true)
  return { ...route, models: { test: (model) => !isTaken(model) && (route.models?.test(model) ?? true) } }
}

function readRoute(row: JsonObject): Route[] {
  const incoming = textAt(row, 'incoming_path') ?? ''
  const operation = operationOf(incoming, textAt(row, 'converter') ?? NO_CONVERTER)
  const path = textAt(row, 'upstream_path')
  const models = readModels(row['models'])
  if (operation === undefined || path === undefined || models === 'unreadable') return []
  return [{ incoming, operation, path, models, auth: readAuth(recordAt(row, 'auth') ?? {}) }]
}

const NO_CONVERTER = 'none'

const byPath = new Map<string, RouteOperation>([
  ...Object.keys(openaiPaths)
    .filter(isOpenAi)
    .map((operation) => [openaiPaths[operation], operation] as const),
  ['/v1/messages', 'messages'],
])

function isOpenAi(name: string): name is OpenAiOperation {
  return Object.hasOwn(openaiPaths, name)
}

/**
 * A converter is named `<source>_to_<target>`; the target decides which operation the upstream is called
 * with.
 */
function operationOf(incoming: string, converter: string): RouteOperation | undefined {
  const target = targetOf(converter)
  if (target !== undefined) return targets.find(([pattern]) => pattern.test(target))?.[1]
  return /^\/v1(?:beta)?\/models\//.test(incoming) ? 'generate' : byPath.get(incoming)
}

function targetOf(converter: string): string | undefined {
  return /(?:_to_|->|→)(\w+)$/.exec(converter.toLowerCase().replaceAll(' ', ''))?.[1]
}

const targets: readonly (readonly [RegExp, RouteOperation])[] = [
  [/responses/, 'responses'],
  [/messages|anthropic|claude/, 'messages'],
  [/gemini|generate/, 'generate'],
  [/chat|openai/, 'chat'],
]

/**
 * Reads a list of model names. Each is an exact name, or `re:` and a pattern, which is matched in linear
 * time.
 */
function readModels(reported: unknown): Endpoint['models'] | undefined | 'unreadable' {
  const names = Array.isArray(reported) ? reported.filter((each) => typeof each === 'string') : []
  if (names.length === 0) return undefined
  const exact = new Set(names.filter((name) => !name.startsWith('re:')))
  try {
    const patterns = names
      .filter((name) => name.startsWith('re:'))
      .map((name) => RE2JS.compile(name.slice(3)))
    return {
      test: (model) => exact.has(model) || patterns.some((pattern) => pattern.matcher(model).find()),
    }
  } catch (error) {
    if (error instanceof RE2JSException) return 'unreadable'
    throw error
  }
}

function readAuth(reported: JsonObject): RouteAuth {
  const type = textAt(reported, 'type')
  const name = textAt(reported, 'name')
  if (type === 'none') return { type }
  if ((type !== 'header' && type !== 'query') || name === undefined) return { type: 'bearer' }
  return { type, name, value: textAt(reported, 'value') ?? '{api_key}' }
}
