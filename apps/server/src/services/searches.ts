import type { RouteDefinition } from '@tollgate/contract/route'
import { problem } from '@tollgate/problems/problem'
import type { Db } from '@tollgate/store/tables/schema'
import { isPattern } from '@tollgate/store/logs/filter'
import { isTooLate, withinTime } from '@tollgate/store/database/within-time'
import type { Actor, Call, Handler } from './handler.ts'

const SEARCH_STATEMENT_MS = 2_000
export interface SearchLimits {
  /** Time limit for one statement. */
  readonly statementMs?: number
  /** How many searches of a user may run or wait. */
  readonly perUserMax?: number
}

/**
 * One search runs and one waits. A second one is allowed because a user who keeps typing no longer needs the
 * first.
 */
const PER_USER_MAX = 2

interface Line {
  count: number
  last: Promise<void>
}

/** Prevents searches from overloading the database: one at a time per user. */
export class Searches {
  readonly #lines = new Map<number, Line>()
  /** Time limit for one statement of a search. */
  readonly statementMs: number
  readonly #perUserMax: number

  constructor({ statementMs = SEARCH_STATEMENT_MS, perUserMax = PER_USER_MAX }: SearchLimits = {}) {
    this.statementMs = statementMs
    this.#perUserMax = perUserMax
  }

  async alone<T>(userId: number, search: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(userId) ?? { count: 0, last: Promise.resolve() }
    if (line.count >= this.#perUserMax) throw problem('search_running')
    this.#lines.set(userId, line)
    line.count++
    const found = line.last.then(search)
    line.last = found.then(nothing, nothing)
    try {
      return await found
    } finally {
      line.count--
      if (line.count === 0) this.#lines.delete(userId)
    }
  }
}

function nothing(): void {}

interface Searched {
  readonly store: Db
  /** The usage log's own database, if it has one. */
  readonly logs?: Db | undefined
  readonly searches: Searches
}

/**
 * Wraps a read-only list handler. If the request contains a search term or a pattern, it runs within the
 * limits of a search.
 */
export function searching<S extends Searched, Route extends RouteDefinition>(
  services: S,
  make: (services: S) => Handler<Route>,
): Handler<Route> {
  return (call) => {
    const { actor, query } = call
    if (!isActor(actor)) return make(services)(call)
    return searched(services, { actorId: actor.id, query }, (own) => make(own)(call))
  }
}

export interface AskedSearch {
  readonly actorId: number
  readonly query: Call<RouteDefinition>['query']
}

/**
 * The same for the reading part of a handler that also writes, so that a write never waits for a connection
 * while the search holds one.
 */
export function searched<S extends Searched, T>(
  services: S,
  { actorId, query }: AskedSearch,
  read: (services: S) => Promise<T>,
): Promise<T> {
  return isSearch(query) ? asSearch(services, actorId, read) : read(services)
}

/** Reads within the limits of a search, whatever was requested. */
export function asSearch<S extends Searched, T>(
  services: S,
  actorId: number,
  read: (services: S) => Promise<T>,
): Promise<T> {
  return services.searches.alone(actorId, () =>
    limited(services, (databases) => read({ ...services, ...databases })),
  )
}

type Databases = Pick<Searched, 'store' | 'logs'>

async function limited<T>(
  { store, logs, searches }: Searched,
  read: (databases: Databases) => Promise<T>,
): Promise<T> {
  const ms = searches.statementMs
  try {
    return await withinTime(store, ms, (own) =>
      logs ? withinTime(logs, ms, (others) => read({ store: own, logs: others })) : read({ store: own }),
    )
  } catch (error) {
    if (isTooLate(error)) throw problem('search_too_long', {}, { cause: error })
    throw error
  }
}

const TERMS = ['keyword', 'token', 'model'] as const

/** An exact name is found through an index; a pattern may have to scan all rows. */
function isSearch(query: Call<RouteDefinition>['query']): boolean {
  if (typeof query !== 'object' || query === null) return false
  if (TERMS.some((term) => Reflect.get(query, term) !== undefined)) return true
  const name: unknown = Reflect.get(query, 'model_name')
  return typeof name === 'string' && isPattern(name)
}

function isActor(actor: unknown): actor is Actor {
  return actor !== undefined
}
