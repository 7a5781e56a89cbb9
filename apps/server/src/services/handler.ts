import type { Access, FileType, RouteDefinition } from '@tollgate/contract/route'
import type { Language } from '@tollgate/kit/problem'
import type { z } from 'zod'

/**
 * How a service answers a route. The edge has already checked access, the user header, origin, limits and schemas;
 * a handler sees parsed input and says who it is for. Expected failures are thrown with `problem(code)`.
 *
 *     // services/token/list.ts
 *     export function listTokens({ store }: Services): Handler<typeof tokenRoutes.list> {
 *       return async ({ query, actor }) => tokensOf(store, { ownerId: actor.id, ...query })
 *     }
 *
 *     // services/token/handlers.ts
 *     export function tokenHandlers(services: Services): readonly BoundRoute[] {
 *       return [bind(tokenRoutes.list, listTokens(services)), …]
 *     }
 *
 * What a handler returns goes through the route's `data` schema, so a field that is not in the contract never leaves.
 */
export type Handler<Route extends RouteDefinition> = (
  call: Call<Route>,
) => Promise<DataOf<Route> | Answer<DataOf<Route>> | FileAnswer>

export interface Call<Route extends RouteDefinition> {
  readonly params: z.output<Route['params']>
  readonly query: z.output<Route['query']>
  readonly body: z.output<Route['body']>
  /** Read from the store for this very call. On public routes `undefined` when nobody is signed in. */
  readonly actor: ActorFor<Route['access']>
  /** The caller's address after trusted proxies. */
  readonly address: string
  readonly userAgent: string
  /** By which header they named the user they act for; `undefined` when they named nobody. */
  readonly userHeader: UserHeader | undefined
  /** The key of an API token in the headers, without `sk-`; read on routes that say `byApiToken`. */
  readonly shownKey: string | undefined
  /** The name by which the caller has reached us, without its port, in lower case; "" when it is none. */
  readonly hostName: string
  /** A program on this machine, not through a proxy: see `edge/local-request.ts`. */
  readonly isLocal: boolean
  readonly language: Language
  readonly requestId: string
  /** For what the route's `guardedWhen` leaves to the handler; the edge has enforced `signIn` already. */
  readonly guard: Guard
  readonly session: SessionControl
  readonly browser: Browser
}

/** `own`: `Tollgate-User`. `family`: that of a console or script of the family, and ours not beside it. */
export type UserHeader = 'own' | 'family'

export interface Actor {
  readonly id: number
  readonly username: string
  /** 1 user, 10 admin, 100 root. */
  readonly role: number
  readonly group: string
  readonly via: 'session' | 'access-token'
  /** When the password or the sign-in provider was last proven in this session; 0 with an access token. */
  readonly provenMs: number
  /** `password`, or the name of the sign-in provider; "" with an access token. */
  readonly provenBy: string
  /** Names the session in the store; `undefined` with an access token. */
  readonly sessionHash?: string
}

/** Asked in every call of a route with `guardedWhen` or `shownWhen`, whether the condition holds or not. */
export interface Guard {
  /** Throws unless the caller has proven lately enough who they are, or has sent the secret again. */
  require(question: GuardQuestion): void
  /** Whether the condition of `shownWhen` holds and the caller has proven lately enough who they are. */
  mayShow(question: Pick<GuardQuestion, 'when'>): boolean
}

export interface GuardQuestion {
  /** The condition that the route declares holds for this call. */
  readonly when: boolean
  /** The caller has sent the secret at stake with this call, and it is the right one. */
  readonly hasSecret?: boolean
  /** A sign-in through a provider is not enough. */
  readonly by?: 'password' | undefined
}

export type ActorFor<Level extends Access> = 'public' extends Level ? Actor | undefined : Actor

/** Starts and ends the browser's session; the cookie is the edge's business. */
export interface SessionControl {
  /**
   * Signs in: a new id for `userId`, noted in their log; the id the browser had, if any, is ended. `way` says how, for
   * example `github`.
   */
  start(userId: number, way?: string): Promise<void>
  /** A new id for who is signed in already; what was proven when stays as it is. */
  renew(userId: number): Promise<void>
  end(): Promise<void>
}

/** What a browser is known by before anybody signs in: 256 bits in a cookie of its own, which no script can read. */
export interface Browser {
  /** `undefined` when it has no mark, or one we did not give out. */
  readonly known: string | undefined
  /** Its mark, kept for this long from now on; a new one when it has none. */
  mark(lifetimeMs: number): string
}

export type DataOf<Route extends RouteDefinition> = z.input<Route['data']>

/** An answer with more than data: a message, or the top-level keys some routes of the family have. */
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

/** A file, written while it is read; when the caller goes away, `text` is returned from. For routes that name `files`. */
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

/** A route with its handler, types forgotten: what the registry mounts. */
export interface BoundRoute {
  readonly route: RouteDefinition
  readonly handle: Handler<RouteDefinition>
}

/** The one place where a handler's types are forgotten: the edge parses with the schemas of this very route. */
export function bind<Route extends RouteDefinition>(route: Route, handler: Handler<Route>): BoundRoute {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return { route, handle: handler as unknown as Handler<RouteDefinition> }
}
