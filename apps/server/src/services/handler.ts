import type { Access, FileType, RouteDefinition } from '@tollgate/contract/route'
import type { SentKey } from './token/key.ts'
import type { Language } from '@tollgate/problems/problem'
import type { z } from 'zod'

/**
 * A service handles a route. The edge has already checked access, the user header, origin, limits and
 * schemas. The handler receives parsed input, and its type names the route it is for. Expected failures are
 * thrown with `problem(code)`.
 *
 * services/token/list.ts
 *     export function listTokens({ store }: Services): Handler<typeof tokenRoutes.list> {
 *       return async ({ query, actor }) => tokensOf(store, { ownerId: actor.id, ...query })
 *     }
 * services/token/handlers.ts
 *     export function tokenHandlers(services: Services): readonly BoundRoute[] {
 *       return [bind(tokenRoutes.list, listTokens(services)), …]
 *     }
 *
 * The returned value is parsed with the route's `data` schema, so a field that the contract does not declare
 * never leaves the process.
 */
export type Handler<Route extends RouteDefinition> = (
  call: Call<Route>,
) => Promise<DataOf<Route> | Answer<DataOf<Route>> | FileAnswer>

export interface Call<Route extends RouteDefinition> {
  readonly params: z.output<Route['params']>
  readonly query: z.output<Route['query']>
  readonly body: z.output<Route['body']>
  /** Read from the store for this call. `undefined` on public routes when nobody is signed in. */
  readonly actor: ActorFor<Route['access']>
  /** The client's IP address, determined behind trusted proxies. */
  readonly address: string
  readonly userAgent: string
  /** Which header named the user the request acts for; `undefined` when none did. */
  readonly userHeader: UserHeader | undefined
  /** The API token in the headers, without `sk-`; read only on routes with `byApiToken`. */
  readonly presentedKey: SentKey | undefined
  /** The host name the client used, in lower case and without port; "" when it is invalid. */
  readonly hostName: string
  /**
   * The request comes directly from a program on this machine, not through a proxy; see
   * `edge/local-request.ts`.
   */
  readonly isLocal: boolean
  readonly language: Language
  readonly requestId: string
  /**
   * For the conditions that the route's `guardedWhen` leaves to the handler; the edge has already enforced
   * `signIn`.
   */
  readonly guard: Guard
  readonly session: SessionControl
  readonly browser: Browser
}

/** `own`: `Tollgate-User`. `family`: only the user header of new-api or a fork. */
export type UserHeader = 'own' | 'family'

export interface Actor {
  readonly id: number
  readonly username: string
  /** 1 user, 10 admin, 100 root. */
  readonly role: number
  readonly group: string
  readonly via: 'session' | 'access-token'
  /** When the password or the provider sign-in was last verified in this session; 0 with an access token. */
  readonly provenMs: number
  /** `password`, or the name of the sign-in provider; "" with an access token. */
  readonly provenBy: string
  /** Identifies the session in the store; `undefined` with an access token. */
  readonly sessionHash?: string
}

/**
 * A handler must call it in every request to a route with `guardedWhen` or `shownWhen`, also when the
 * condition does not hold.
 */
export interface Guard {
  /**
   * Throws unless the condition does not hold, the caller has signed in recently enough, or the caller has
   * sent the secret again.
   */
  require(question: GuardQuestion): void
  /** Whether the condition of `shownWhen` holds and the caller has signed in recently enough. */
  mayShow(question: Pick<GuardQuestion, 'when'>): boolean
}

export interface GuardQuestion {
  /** Whether the condition that the route declares holds for this call. */
  readonly when: boolean
  /** The request contains the secret in question, and it is correct. */
  readonly hasSecret?: boolean
  /** Requires a password: a sign-in through a provider is not enough. */
  readonly by?: 'password' | undefined
}

export type ActorFor<Level extends Access> = 'public' extends Level ? Actor | undefined : Actor

/** Starts and ends the browser's session; the edge sets the cookie. */
export interface SessionControl {
  /**
   * Signs in: starts a session with a new id for `userId`, records the sign-in in the user's log, and ends
   * the browser's previous session, if any. `way` names the method, for example `github`.
   */
  start(userId: number, way?: string): Promise<void>
  /** Gives a signed-in user a new session id; the time and method of the last verification are kept. */
  renew(userId: number): Promise<void>
  end(): Promise<void>
}

/**
 * Identifies a browser before anybody signs in: 256 random bits in a cookie of its own, which scripts cannot
 * read.
 */
export interface Browser {
  /** `undefined` when the browser has no such cookie, or one that this gateway did not issue. */
  readonly known: string | undefined
  /** Returns the browser's identifier and extends its lifetime; creates one if it has none. */
  mark(lifetimeMs: number): string
}

export type DataOf<Route extends RouteDefinition> = z.input<Route['data']>

/**
 * A response with more than data: a message, or the extra top-level members that some of new-api's routes
 * have.
 */
export class Answer<Data> {
  readonly data: Data
  readonly message: string
  readonly extra: Readonly<Record<string, unknown>>

  constructor(input: { data: Data; message?: string; extra?: Readonly<Record<string, unknown>> }) {
    this.data = input.data
    this.message = input.message ?? ''
    this.extra = input.extra ?? {}
  }
}

/**
 * A file that is sent while it is generated; if the client disconnects, the generator `text` is ended. For
 * routes that declare `files`.
 */
export class FileAnswer {
  readonly name: string
  readonly type: FileType
  readonly text: AsyncIterable<string>

  constructor(input: { name: string; type: FileType; text: AsyncIterable<string> }) {
    this.name = input.name
    this.type = input.type
    this.text = input.text
  }
}

/** A route with its handler, with the types erased, as the registry mounts it. */
export interface BoundRoute {
  readonly route: RouteDefinition
  readonly handle: Handler<RouteDefinition>
}

/**
 * The only place where a handler's types are erased. This is safe because the edge parses with the schemas of
 * the same route.
 */
export function bind<Route extends RouteDefinition>(route: Route, handler: Handler<Route>): BoundRoute {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return { route, handle: handler as unknown as Handler<RouteDefinition> }
}
