import { z } from 'zod'

/** Who may call the route: `public` everyone, `user` role >= 1, `admin` role >= 10, `root` role >= 100. */
export type Access = 'public' | 'user' | 'admin' | 'root'

/**
 * Whose objects the route may access. `none`: no owned objects. `self`: only the caller's, enforced by the
 * query itself. `manage`: other users', subject to the `canManage` rule. `site`: objects of the site
 * (channels, options).
 */
export type OwnerRule = 'none' | 'self' | 'manage' | 'site'

/**
 * Which limiter counts the call. `critical` protects sign-in and everything else that could be guessed.
 * `callback` is for other servers, which send many reports from one address.
 */
export type RateClass = 'api' | 'critical' | 'reveal' | 'probe' | 'callback'

/**
 * How recently the caller must have signed in. `any`: an access token is enough. `recent`: a session whose
 * password or provider sign-in was verified in the last 12 hours. `fresh`: in the last 15 minutes. An access
 * token never counts as recent. On a public route the rule applies to callers who are signed in.
 */
export const signIns = ['any', 'recent', 'fresh'] as const
export type SignIn = (typeof signIns)[number]

/**
 * A sign-in requirement that depends on the body or on stored values. The handler evaluates the condition in
 * every call with `guard.require({ when: … })`; a response produced without calling the guard is a bug.
 */
export interface GuardedWhen {
  /** Completes "needs a recent sign-in when …" in the API reference. */
  readonly condition: string
  readonly signIn: Exclude<SignIn, 'any'>
  /**
   * The access level that may see the secret in question. Other callers must send the secret again. Default:
   * the access level of the route.
   */
  readonly access?: Access
  /** Sending the secret again counts as signing in again. */
  readonly orSecretAgain?: boolean
}

/**
 * A secret that only some callers get in the response. The handler evaluates the condition in every call with
 * `guard.mayShow({ when: … })`; other callers get the response without the secret.
 */
export interface ShownWhen {
  /** Completes "shows keys after a recent sign-in when …" in the API reference. */
  readonly condition: string
  readonly signIn: Exclude<SignIn, 'any'>
}

/**
 * The response format of routes where new-api does not use `{success, message, data}`:
 *
 * - `message`: there is no `success`. `message` is `success` or `error`; after an error, `data` is the text.
 * - `text`: the plain text of `data` alone; a refusal is the word `fail`.
 * - `code`: `code` is true and `message` is `ok`; in a refusal `code` is false and `message` is the text.
 */
export type Envelope = 'message' | 'text' | 'code'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH'

/**
 * One admin route as data. The server uses it for validation, the console for its typed client, and the
 * OpenAPI document is generated from it. The server refuses to start if a route lacks a field.
 */
export interface RouteDefinition<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Data extends z.ZodType = z.ZodType,
  Level extends Access = Access,
> {
  readonly method: Method
  /** As registered, with `:name` parameters. The route also answers with a trailing slash. */
  readonly path: `/api/${string}`
  readonly access: Level
  readonly owner: OwnerRule
  readonly rate: RateClass
  readonly bodyBytesMax: number
  /**
   * A state-changing call with a cookie, including a GET, needs the user header and a same-origin `Origin` or
   * `Sec-Fetch-Site`.
   */
  readonly changesState: boolean
  readonly isBillable: boolean
  /**
   * A route that changes how an account or a credential is accessed, or that shows a secret, must require
   * more than `any`.
   */
  readonly signIn: SignIn
  readonly guardedWhen?: GuardedWhen
  readonly shownWhen?: ShownWhen
  /**
   * Also allowed for users who still have the publicly known default password. Public routes are open to
   * everyone anyway.
   */
  readonly isOpenToDefaultPassword?: boolean
  /**
   * An API token, in `Authorization` or in the parameter `key`, takes the place of a sign-in. Pages of every
   * origin may call the route: their browsers send our cookie only to requests of our own pages.
   */
  readonly byApiToken?: true
  readonly summary: string
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** Schema of `data` in the envelope `{success, message, data}`. */
  readonly data: Data
  /** Schema of members beside `data`, where new-api's format has some. */
  readonly extra?: z.ZodObject
  /** If set, a success is a file of one of these types instead of an envelope, and `data` has no meaning. */
  readonly files?: readonly FileType[]
  readonly envelope?: Envelope
  /**
   * Status of the response to a body that is not JSON or has members of wrong types. Absent: 200 with
   * `success: false`, as clients written for new-api expect.
   */
  readonly badBodyStatus?: 400
  /**
   * The caller may send an idempotency key in the header `Idempotency-Key`. If the same operation is sent
   * again within an hour, it gets the first response and is not executed twice, because after a lost
   * connection the caller cannot know whether the first call arrived.
   */
  readonly isRepeatable?: true
  /** The body may also be an HTML form, which some other servers send. */
  readonly acceptsForm?: boolean
}

export const fileTypes = ['text/csv', 'application/x-ndjson'] as const
export type FileType = (typeof fileTypes)[number]

/** Nothing is read: unknown members of parameters and queries are dropped, and a body is ignored. */
export const nothing = z.object({})

/** Preserves the literal and schema types of a route while checking its shape. */
export function defineRoute<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Data extends z.ZodType,
  const Level extends Access,
>(
  route: RouteDefinition<Params, Query, Body, Data, Level>,
): RouteDefinition<Params, Query, Body, Data, Level> {
  return route
}

export const KIB = 1024
export const CONSOLE_BODY_BYTES_MAX = 1024 * KIB
export const ANONYMOUS_BODY_BYTES_MAX = 64 * KIB

const usual = { rate: 'api', isBillable: false, signIn: 'any', params: nothing, query: nothing } as const

/** Members shared by most read-only routes; each adds its access level. */
export const usualReading = {
  ...usual,
  method: 'GET',
  changesState: false,
  bodyBytesMax: ANONYMOUS_BODY_BYTES_MAX,
  body: nothing,
} as const

/** Members shared by most routes that change something. */
export const usualWriting = { ...usual, changesState: true, bodyBytesMax: CONSOLE_BODY_BYTES_MAX } as const
const usualBodyless = { ...usualWriting, bodyBytesMax: ANONYMOUS_BODY_BYTES_MAX, body: nothing } as const

const none = { access: 'public', owner: 'none' } as const
export const publicReading = { ...usualReading, ...none } as const
/** Visitors may try these routes without an account, so the bodies are small and the calls are few. */
export const anonymousWriting = {
  ...usualWriting,
  ...none,
  rate: 'critical',
  bodyBytesMax: ANONYMOUS_BODY_BYTES_MAX,
} as const

/** Of signed-in users, about themselves. */
const own = { access: 'user', owner: 'self' } as const
export const ownReading = { ...usualReading, ...own } as const
export const ownWriting = { ...usualWriting, ...own } as const
export const ownBodyless = { ...usualBodyless, ...own } as const

/** Of administrators, about the whole site. */
const site = { access: 'admin', owner: 'site' } as const
export const siteReading = { ...usualReading, ...site } as const
export const siteWriting = { ...usualWriting, ...site } as const
export const siteBodyless = { ...usualBodyless, ...site } as const
