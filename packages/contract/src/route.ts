import { z } from 'zod'

/** Who may call: `public` everybody, `user` role >= 1, `admin` role >= 10, `root` role >= 100. */
export type Access = 'public' | 'user' | 'admin' | 'root'

/**
 * Whose objects the route may touch. `none`: no owned object. `self`: only the caller's, by the query itself.
 * `manage`: other users', by the one `canManage` rule. `site`: objects of the site (channels, options).
 */
export type OwnerRule = 'none' | 'self' | 'manage' | 'site'

/**
 * Which limiter counts the call. `critical` guards sign-in and everything that could be guessed; `callback` is for other
 * servers, who report many things from one address.
 */
export type RateClass = 'api' | 'critical' | 'reveal' | 'probe' | 'callback'

/**
 * How lately the caller must have proven who they are. `any`: an access token will do. `recent`: in a session whose password
 * or sign-in provider was proven in the last 12 hours. `fresh`: in the last 15 minutes. An access token is never recent. On a
 * public route the rule holds for callers who are signed in.
 */
export const signIns = ['any', 'recent', 'fresh'] as const
export type SignIn = (typeof signIns)[number]

/**
 * A guard that depends on the body or on stored values. The handler judges the condition in every call, with
 * `guard.require({ when: … })`; an answer that was made without asking the guard is a bug.
 */
export interface GuardedWhen {
  /** Completes "needs a recent sign-in when …", for readers of the API's reference. */
  readonly condition: string
  readonly signIn: Exclude<SignIn, 'any'>
  /** Who may see the secret at stake. Others can only send the secret again. Default: whoever may call the route. */
  readonly access?: Access
  /** Sending the secret again is as good as signing in again. */
  readonly orSecretAgain?: boolean
}

/**
 * A secret that the answer carries for some callers only. The handler judges the condition in every call, with
 * `guard.mayShow({ when: … })`; everybody else gets the answer without the secret.
 */
export interface ShownWhen {
  /** Completes "shows keys after a recent sign-in when …", for readers of the API's reference. */
  readonly condition: string
  readonly signIn: Exclude<SignIn, 'any'>
}

/**
 * What an answer looks like where the family's wire contract is not `{success, message, data}`. `message`: without
 * `success`; `message` is the word `success` or `error`, and in the second case `data` the text. `text`: `data` alone, plain;
 * a refusal is the word `fail`. `code`: `code` is true and `message` the word `ok`; of a refusal `code` is false and `message`
 * the text.
 */
export type Envelope = 'message' | 'text' | 'code'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH'

/**
 * One admin route as data. The server takes validation from it, the console its typed client, and the OpenAPI document
 * its text. The server refuses to start on a route with a field missing.
 */
export interface RouteDefinition<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Data extends z.ZodType = z.ZodType,
  Level extends Access = Access,
> {
  readonly method: Method
  /** As registered, with `:name` parameters. Both spellings of a trailing slash are answered. */
  readonly path: `/api/${string}`
  readonly access: Level
  readonly owner: OwnerRule
  readonly rate: RateClass
  readonly bodyBytesMax: number
  /** State-changing calls with a cookie need the user header and a same-origin `Origin` or `Sec-Fetch-Site`; also GETs. */
  readonly changesState: boolean
  readonly isBillable: boolean
  /** Whatever changes how an account or a credential is reached needs more than `any`; so does showing a secret. */
  readonly signIn: SignIn
  readonly guardedWhen?: GuardedWhen
  readonly shownWhen?: ShownWhen
  /** Also for who still has the password everybody knows. Public routes are for everybody anyway. */
  readonly isOpenToDefaultPassword?: boolean
  /**
   * The key of an API token, in `Authorization` or as the parameter `key`, stands for a sign-in. Pages of every origin may
   * ask: their browsers send a cookie to none but ours.
   */
  readonly byApiToken?: true
  readonly summary: string
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** Schema of `data` in the envelope `{success, message, data}`. */
  readonly data: Data
  /** Schema of keys beside `data`, where the family's wire contract has some. */
  readonly extra?: z.ZodObject
  /** What a success is instead of an envelope: a file of one of these types. `data` then describes nothing. */
  readonly files?: readonly FileType[]
  readonly envelope?: Envelope
  /**
   * Status of the answer to a body that is no JSON, or whose members have wrong types. Absent: 200 with `success: false`, as
   * clients of the family expect it.
   */
  readonly badBodyStatus?: 400
  /**
   * The caller may name the operation in the header `Idempotency-Key`. Sent again within an hour, it is answered as before
   * and not done a second time: after a lost connection nobody knows whether the first call arrived.
   */
  readonly isRepeatable?: true
  /** The body may come as an HTML form too: other servers send some. */
  readonly acceptsForm?: boolean
}

export const fileTypes = ['text/csv', 'application/x-ndjson'] as const
export type FileType = (typeof fileTypes)[number]

/** Nothing is read: unknown keys are dropped for parameters and queries, and a body is ignored. */
export const nothing = z.object({})

/** Keeps the literal and schema types of a route while checking its shape. */
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

/** What most routes that only read have in common; each adds who may call it. */
export const usualReading = {
  ...usual,
  method: 'GET',
  changesState: false,
  bodyBytesMax: ANONYMOUS_BODY_BYTES_MAX,
  body: nothing,
} as const

/** What most routes that change something have in common. */
export const usualWriting = { ...usual, changesState: true, bodyBytesMax: CONSOLE_BODY_BYTES_MAX } as const
