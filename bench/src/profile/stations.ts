import type { CallFrame } from './cpu-profile.ts'

/**
 * Part of a call's way through a process that is measured on its own. Code that serves many stations, such as
 * `packages/kit`, sockets and functions of the engine, belongs to the station that calls it.
 */
export type Station = string

export const IDLE = 'idle'

type Rule = readonly [part: RegExp, station: (match: RegExpExecArray) => Station]

const named = (name: Station) => () => name

/** Frames that count for a station wherever they are called from. The first rule that matches decides. */
const OWN: readonly Rule[] = [
  [/\/relay\/stations\/([^/]+)\//, ([, name]) => `station ${name}`],
  [/\/relay\/operations\//, named('operations')],
  [/\/relay\/(transcript|tasks|realtime|threads|lessons)\//, ([, name]) => `relay ${name}`],
  [/apps\/server\/src\/relay\//, named('relay')],
  [/apps\/server\/src\/edge\//, named('edge')],
  [/apps\/server\/src\/snapshots\//, named('snapshots')],
  [/apps\/server\/src\/app\/logging/, named('log')],
  [/apps\/server\/src\//, named('rest of the server')],
  [/packages\/ledger\/src\/sqlite\/.*(wire|remote)/, named('ledger messages')],
  [/packages\/ledger\/src\/sqlite\//, named('ledger statements')],
  [/packages\/ledger\/src\/core\//, named('ledger decisions')],
  [/packages\/ledger\/src\//, named('ledger')],
  [/packages\/(dialects|providers|billing|coordination)\//, ([, name]) => `${name}`],
  [/packages\/egress\/|node_modules\/undici\/|internal\/deps\/undici/, named('upstream client')],
  [/node_modules\/(pino|sonic-boom|thread-stream|on-exit-leak-free)/, named('log')],
  [/node_modules\/(@?fastify|find-my-way|avvio|fast-|secure-json-parse|light-my-request)/, named('fastify')],
  [/^node:_http_|^node:internal\/http/, named('node http')],
  [/bench\/src\/bare-relay/, named('bare relay')],
  // Starting and ending the profiler is no part of a call.
  [/bench\/src\/profile\//, named(IDLE)],
]

/** Names for code that serves many stations, where no station called it. */
const SHARED: readonly Rule[] = [
  [/packages\/store\//, named('store')],
  [/packages\/(kit|problems|contract)\//, ([, name]) => `${name}`],
  [/node_modules\//, named('other libraries')],
]

const NODE: readonly Rule[] = [
  [/^node:(net|internal\/(stream|streams|js_stream)|stream)/, named('sockets')],
  [/^node:/, named('node: events, timers, promises')],
]

const ENGINE: ReadonlyMap<string, Station> = new Map([
  ['(idle)', IDLE],
  ['(garbage collector)', 'garbage collection'],
  ['(program)', 'native code without JavaScript'],
])

export interface Placed {
  readonly station: Station
  /** Found by {@link OWN}, so that shared code called from here belongs to it. */
  readonly isOwn: boolean
}

/** Where a frame belongs, given where its caller belongs; `undefined` for the root. */
export function placeOf({ functionName, url }: CallFrame, caller: Placed | undefined): Placed | undefined {
  const own = ENGINE.get(functionName) ?? first(OWN, url)
  if (own !== undefined) return { station: own, isOwn: true }
  if (caller?.isOwn) return caller
  const shared = first(SHARED, url) ?? caller?.station ?? first(NODE, url)
  return shared === undefined ? undefined : { station: shared, isOwn: false }
}

function first(rules: readonly Rule[], url: string): Station | undefined {
  for (const [part, station] of rules) {
    const match = part.exec(url)
    if (match) return station(match)
  }
  return undefined
}
