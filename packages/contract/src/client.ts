import type { z } from 'zod'
import type { RouteDefinition } from './route.ts'

/** The console's client for the admin API, typed by the route table. */
export interface Client {
  /** Resolves to `data`; rejects with {@link ApiError} for every unsuccessful response. */
  call<Route extends RouteDefinition>(
    route: Route,
    ...input: InputOf<Route>
  ): Promise<z.output<Route['data']>>
  /** Like `call`, with the message and the extra top-level members that a few routes have. */
  callWhole<Route extends RouteDefinition>(
    route: Route,
    ...input: InputOf<Route>
  ): Promise<WholeAnswer<Route>>
  /** For routes that return a file: resolves once the download is complete. */
  callFile<Route extends RouteDefinition>(route: Route, ...input: InputOf<Route>): Promise<ReceivedFile>
}

export interface ReceivedFile {
  readonly name: string
  readonly content: Blob
}

export interface ClientOptions {
  readonly baseUrl: string
  /** Called for each request; returns the headers with the user id (or -1) and the language. */
  headers(): Readonly<Record<string, string>>
  /** Called when the session has ended; the call still rejects. */
  onUnauthorized(): void
  readonly fetch?: typeof fetch
}

export interface WholeAnswer<Route extends RouteDefinition> {
  readonly message: string
  readonly data: z.output<Route['data']>
  readonly extra: Readonly<Record<string, unknown>>
}

/** A refused call. `message` is the server's text in the caller's language, or "" when it sent none. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** Problem code, for example `username_taken`; "" when the response did not come from the gateway's API. */
  readonly code: string

  constructor(message: string, status: number, options: ErrorOptions & { readonly code?: string } = {}) {
    super(message, options)
    this.status = status
    this.code = options.code ?? ''
  }
}

export type InputOf<Route extends RouteDefinition> =
  Nothing extends CallInput<Route>
    ? [input?: CallInput<Route> & CallOptions]
    : [input: CallInput<Route> & CallOptions]

export type CallInput<Route extends RouteDefinition> = Part<'params', Route['params']> &
  Part<'query', Route['query']> &
  Part<'body', Route['body']>

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Idempotency key for routes with `isRepeatable`: the same value for every attempt at one operation. */
  readonly operationKey?: string
}

/** If `{}` is assignable to an input, the input is optional. */
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- the empty object is meant
type Nothing = Record<never, never>

type Part<Name extends string, Schema extends z.ZodType> =
  Nothing extends z.input<Schema>
    ? { readonly [Key in Name]?: z.input<Schema> }
    : { readonly [Key in Name]: z.input<Schema> }

export function createClient(options: ClientOptions): Client {
  return {
    call: async (route, ...input) => (await send(options, route, input[0])).data,
    callWhole: (route, ...input) => send(options, route, input[0]),
    callFile: async (route, ...input) => readFile(await ask(options, route, input[0])),
  }
}

async function send<Route extends RouteDefinition>(
  options: ClientOptions,
  route: Route,
  input: CallInput<Route> | undefined,
): Promise<WholeAnswer<Route>> {
  return readAnswer<Route>(await ask(options, route, input), route)
}

async function ask<Route extends RouteDefinition>(
  options: ClientOptions,
  route: Route,
  input: CallInput<Route> | undefined,
): Promise<Response> {
  const parts = looseParts(input)
  const hasBody = route.method !== 'GET' && parts.body !== undefined
  const response = await request(options, options.baseUrl + addressOf(route.path, parts), {
    method: route.method,
    credentials: 'same-origin',
    cache: 'no-store',
    headers: {
      ...options.headers(),
      ...(hasBody && { 'content-type': 'application/json' }),
      ...(parts.operationKey !== undefined && { 'idempotency-key': parts.operationKey }),
    },
    ...(hasBody && { body: JSON.stringify(parts.body) }),
    ...(parts.signal && { signal: parts.signal }),
  })
  if (response.status === 401) options.onUnauthorized()
  return response
}

const NAME_IN_HEADER = /filename\*=UTF-8''([^;]+)/

/**
 * A refusal arrives as a JSON envelope, a file with its name in a header. A download that breaks off rejects.
 */
async function readFile(response: Response): Promise<ReceivedFile> {
  const name = NAME_IN_HEADER.exec(response.headers.get('content-disposition') ?? '')?.[1]
  if (name === undefined) {
    const { message, code } = await readObject(response)
    throw refused(typeof message === 'string' ? message : '', response.status, code)
  }
  const content = await response.blob().catch((cause: unknown) => {
    throw new ApiError('', 0, { cause })
  })
  return { name: decodeURIComponent(name), content }
}

async function request(options: ClientOptions, address: string, init: RequestInit): Promise<Response> {
  try {
    return await (options.fetch ?? fetch)(address, init)
  } catch (cause) {
    if (init.signal?.aborted) throw cause
    throw new ApiError('', 0, { cause })
  }
}

/** The server has already validated `data` with the route's schema, so it is not parsed again. */
async function readAnswer<Route extends RouteDefinition>(
  response: Response,
  { envelope }: RouteDefinition,
): Promise<WholeAnswer<Route>> {
  const body = await readObject(response)
  const { success, message, data, ...extra } = envelope === 'message' ? withSuccess(body) : body
  const words = typeof message === 'string' ? message : ''
  if (success !== true) throw refused(words, response.status, extra['code'])
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return { message: words, data: data as z.output<Route['data']>, extra }
}

/**
 * Normalises the envelope of routes whose `message` is `success` or `error`. Refusals by the edge have the
 * usual envelope.
 */
function withSuccess(body: Record<string, unknown>): Record<string, unknown> {
  if ('success' in body) return body
  if (body['message'] === 'success') return { ...body, success: true }
  return { ...body, success: false, message: body['data'] }
}

function refused(message: string, status: number, code: unknown): ApiError {
  return new ApiError(message, status, typeof code === 'string' ? { code } : {})
}

async function readObject(response: Response): Promise<Record<string, unknown>> {
  const body: unknown = await response.json().catch((cause: unknown) => {
    throw new ApiError('', response.status, { cause })
  })
  if (typeof body === 'object' && body !== null) return { ...body }
  throw new ApiError('', response.status)
}

interface LooseParts {
  readonly operationKey?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly signal?: AbortSignal
}

/** Erases the types of this route's input. */
function looseParts(input: object | undefined): LooseParts {
  return input ?? {}
}

/**
 * Example: `/api/token/:id` with `{id: 7}` and `{p: 1}` becomes `/api/token/7?p=1`. Absent query values are
 * left out.
 */
function addressOf(path: string, { params = {}, query = {} }: LooseParts): string {
  const filled = path.replace(/:(\w+)/g, (_whole, name: string) => encodeURIComponent(textOf(params[name])))
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, textOf(value)]],
    ),
  ).toString()
  return search === '' ? filled : `${filled}?${search}`
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
