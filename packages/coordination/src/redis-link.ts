import { createHash } from 'node:crypto'
import { ErrorReply, createClient } from '@redis/client'
import type { Secret } from '@tollgate/kit/secret'
import { RedisOpenError } from './redis-open-error.ts'

export interface RedisLinkOptions {
  /** `redis://` or `rediss://` URL, with user, password and database. */
  readonly url: Secret
  /** Prefix of every key and channel, so that several installations can share a server. */
  readonly prefix: string
  /** Called once each time the connection is lost or restored. Must not throw. */
  readonly onChange: (change: LinkChange) => void
}

export type LinkChange = { readonly isUp: true } | { readonly isUp: false; readonly reason: string }

/**
 * One Redis or Valkey connection for all uses. It is monitored by a heartbeat, reconnects by itself, and
 * never blocks a caller for long.
 */
export interface RedisLink {
  readonly isUp: boolean
  readonly prefix: string
  /** How many times the connection was lost since the start. */
  readonly losses: number
  /** Rejects at once while the server is down, and after {@link COMMAND_MS} when no reply arrives. */
  send(command: readonly string[]): Promise<unknown>
  run(script: RedisScript, input: { key: string; values: readonly string[] }): Promise<unknown>
  /** The subscription lasts until the link is closed, across reconnects. */
  subscribe(channel: string, listener: (message: string) => void): Promise<void>
  /** Registers a listener that is called after every reconnect, when messages may have been lost. */
  onReturn(listener: () => void): void
  close(): void
}

export class RedisAwayError extends Error {
  override readonly name = 'RedisAwayError'
}

export interface RedisScript {
  readonly text: string
  readonly hash: string
}

/** A Lua script that the server runs atomically. */
export function redisScript(text: string): RedisScript {
  return { text, hash: createHash('sha1').update(text).digest('hex') }
}

/**
 * The longest that a caller waits for a reply. When Redis stops answering, the first caller waits this long;
 * later ones fail at once.
 */
const COMMAND_MS = 500
const HEART_MS = 1_000
/** A connection that receives no data for this long is closed and reopened. */
const SILENCE_MS = 3_000
const CONNECT_MS = 2_000
const RETRY_MS_MAX = 1_000
const WAITING_MAX = 10_000

/**
 * Resolves when Redis has answered, or when it is known to be down; processes then start without it. Rejects
 * with a {@link RedisOpenError} when it answers and refuses the connection, since a retry would not fix that.
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
    // The client retries forever; this promise settles only when the link is closed.
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
   * Heartbeat: a small write, because only a write proves that the server is usable. Only one is in flight at
   * a time, so that a silent connection gets no further traffic and the socket timeout can detect its
   * silence. A late reply still counts as success.
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

  /**
   * Subscribes the channels not subscribed yet. The client itself renews existing subscriptions after a
   * reconnect.
   */
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
      // Retries without end, with jitter so that not all nodes reconnect at the same moment.
      reconnectStrategy: (tries) => Math.min(50 * 2 ** tries, RETRY_MS_MAX) * (0.5 + Math.random() / 2),
    },
  })
}

/**
 * Limits the wait for a reply (the client's own timeout only covers the time until a command is written).
 * `setImmediate` lets replies that arrived while this process was busy be read first, so that a blocked event
 * loop is not mistaken for a slow Redis.
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

/** A server that is loading, failing over or out of memory recovers by itself; a wrong password does not. */
function isRefusal(error: unknown): error is ErrorReply {
  return error instanceof ErrorReply && /^(?:WRONGPASS|NOAUTH|NOPERM|ERR)\b/.test(error.message)
}

function isUnknownScript(error: unknown): boolean {
  return error instanceof ErrorReply && error.message.startsWith('NOSCRIPT')
}
