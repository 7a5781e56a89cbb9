import { createHash } from 'node:crypto'
import { ErrorReply, createClient } from '@redis/client'
import type { Secret } from '@tollgate/kit/secret'

export interface RedisLinkOptions {
  /** `redis://` or `rediss://`, with user, password and database. */
  readonly url: Secret
  /** Begins every key and channel, so that several installations may share a server. */
  readonly prefix: string
  /** Told once whenever it was lost or has come back. Must not throw. */
  readonly onChange: (change: LinkChange) => void
}

export type LinkChange = { readonly isUp: true } | { readonly isUp: false; readonly reason: string }

/** One connection to Redis or Valkey for everything. It is watched, mends itself, and never keeps anybody waiting. */
export interface RedisLink {
  readonly isUp: boolean
  readonly prefix: string
  /** How often it was away since the start. */
  readonly losses: number
  /** Rejects at once while it is away, and after {@link COMMAND_MS} when no answer comes. */
  send(command: readonly string[]): Promise<unknown>
  run(script: RedisScript, input: { key: string; values: readonly string[] }): Promise<unknown>
  /** Lasts until the end, over any number of connections. */
  subscribe(channel: string, listener: (message: string) => void): Promise<void>
  /** Called whenever it has come back, also when messages may have been lost meanwhile. */
  onReturn(listener: () => void): void
  close(): void
}

/** A sentence for the operator: there is a Redis, and it does not want us. */
export class RedisOpenError extends Error {
  override readonly name = 'RedisOpenError'
}

export class RedisAwayError extends Error {
  override readonly name = 'RedisAwayError'
}

export interface RedisScript {
  readonly text: string
  readonly hash: string
}

/** A program for the server, which runs it as one step. */
export function redisScript(text: string): RedisScript {
  return { text, hash: createHash('sha1').update(text).digest('hex') }
}

/** A limit costs a caller at most this, once, when Redis falls silent. */
const COMMAND_MS = 500
const HEART_MS = 1_000
/** A connection without a word for so long is dropped and made again. */
const SILENCE_MS = 3_000
const CONNECT_MS = 2_000
const RETRY_MS_MAX = 1_000
const WAITING_MAX = 10_000

/**
 * Resolves when Redis has answered, or when it is clear that it is away: then everybody begins without it. Rejects with a
 * {@link RedisOpenError} when it answers and refuses us, since that does not mend itself.
 */
export async function openRedisLink(options: RedisLinkOptions): Promise<RedisLink> {
  const link = new Link(options)
  await link.open()
  return link
}

class Link implements RedisLink {
  readonly #client: Client
  readonly #onChange: RedisLinkOptions['onChange']
  readonly #returned: (() => void)[] = []
  readonly #subscriptions: { channel: string; listener: (message: string) => void }[] = []
  #subscribed = 0
  #state: 'new' | 'up' | 'away' = 'new'
  #heart: NodeJS.Timeout | undefined
  #isBeating = false
  readonly prefix: string
  losses = 0

  constructor({ url, prefix, onChange }: RedisLinkOptions) {
    this.prefix = prefix
    this.#onChange = onChange
    this.#client = newClient(url)
  }

  get isUp(): boolean {
    return this.#state === 'up'
  }

  async open(): Promise<void> {
    const first = Promise.withResolvers<unknown>()
    this.#client.on('ready', () => void this.#beat().then(() => first.resolve(undefined)))
    this.#client.on('error', (error: unknown) => {
      this.#lose(error)
      first.resolve(error)
    })
    // It tries for ever: this ends only when the link is closed.
    this.#client.connect().catch(() => undefined)
    const error = await first.promise
    if (isRefusal(error)) {
      this.close()
      throw new RedisOpenError(`REDIS_CONN_STRING: Redis answers "${error.message}".`, { cause: error })
    }
    this.#heart = setInterval(() => void this.#beat(), HEART_MS).unref()
  }

  async send(command: readonly string[]): Promise<unknown> {
    if (!this.isUp) throw new RedisAwayError('Redis is away')
    try {
      return await withinTime(this.#client.sendCommand([...command]))
    } catch (error) {
      if (!isUnknownScript(error)) this.#lose(error)
      throw error
    }
  }

  async run(script: RedisScript, { key, values }: { key: string; values: readonly string[] }) {
    try {
      return await this.send(['EVALSHA', script.hash, '1', key, ...values])
    } catch (error) {
      if (!isUnknownScript(error)) throw error
      return this.send(['EVAL', script.text, '1', key, ...values])
    }
  }

  async subscribe(channel: string, listener: (message: string) => void): Promise<void> {
    this.#subscriptions.push({ channel, listener })
    if (this.isUp) await this.#subscribeAll().catch((error: unknown) => this.#lose(error))
  }

  onReturn(listener: () => void): void {
    this.#returned.push(listener)
  }

  close(): void {
    clearInterval(this.#heart)
    this.#state = 'away'
    if (this.#client.isOpen) this.#client.destroy()
  }

  /**
   * A small write: that alone shows a server that can be used. One at a time, so that on a silent connection nothing more
   * is said and its silence can be noticed. An answer that comes late is an answer.
   */
  async #beat(): Promise<void> {
    if (this.#isBeating || !this.#client.isReady) return
    this.#isBeating = true
    const answer = this.#client.sendCommand(['SET', `${this.prefix}heart`, '1', 'PX', '10000'])
    try {
      await withinTime(answer).catch((error: unknown) => this.#lose(error))
      await answer
      await this.#subscribeAll()
      this.#return()
    } catch (error) {
      this.#lose(error)
    } finally {
      this.#isBeating = false
    }
  }

  /** The client repeats what was subscribed once on every later connection. */
  async #subscribeAll(): Promise<void> {
    for (const { channel, listener } of this.#subscriptions.slice(this.#subscribed)) {
      this.#subscribed++
      await withinTime(this.#client.subscribe(channel, listener)).catch((error: unknown) => {
        this.#subscribed--
        throw error
      })
    }
  }

  #return(): void {
    if (this.isUp) return
    const isFirst = this.#state === 'new'
    this.#state = 'up'
    if (isFirst) return
    this.#onChange({ isUp: true })
    for (const listener of this.#returned) listener()
  }

  #lose(error: unknown): void {
    if (this.#state === 'away' || !this.#client.isOpen) return
    this.#state = 'away'
    this.losses++
    this.#onChange({ isUp: false, reason: error instanceof Error ? error.message : String(error) })
  }
}

type Client = ReturnType<typeof newClient>

function newClient(url: Secret) {
  return createClient({
    url: url.reveal(),
    RESP: 3,
    disableOfflineQueue: true,
    commandsQueueMaxLength: WAITING_MAX,
    maintNotifications: 'disabled',
    socket: {
      connectTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      // Never an end, and not all nodes at the same moment.
      reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, RETRY_MS_MAX) * (0.5 + Math.random() / 2),
    },
  })
}

/**
 * The client's own limit counts only until a command is written. Before an answer counts as missing, what has arrived
 * while this process was busy is read: its own lateness is not that of Redis.
 */
async function withinTime<T>(answer: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const giveUp = (): void => late.reject(new RedisAwayError(`no answer in ${COMMAND_MS} ms`))
  const timer = setTimeout(() => setImmediate(giveUp), COMMAND_MS)
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    clearTimeout(timer)
  }
}

/** Loading, failing over or being full passes; a wrong password does not. */
function isRefusal(error: unknown): error is ErrorReply {
  return error instanceof ErrorReply && /^(?:WRONGPASS|NOAUTH|NOPERM|ERR)\b/.test(error.message)
}

function isUnknownScript(error: unknown): boolean {
  return error instanceof ErrorReply && error.message.startsWith('NOSCRIPT')
}
