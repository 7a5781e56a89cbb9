import { setTimeout as sleep } from 'node:timers/promises'
import type { Notices } from '@tollgate/coordination/notices'
import type { Egress } from '@tollgate/egress/egress'
import { proxyAddress } from '@tollgate/egress/proxies'
import { randomToken } from '@tollgate/kit/ids'
import { Problem } from '@tollgate/kit/problem'
import { isDue, isOver, type KeyRenewal, type RenewalAnswer } from '@tollgate/providers/sign/renewal'
import { channelKeyHash, noteKey } from '@tollgate/store/channel-keys'
import { releaseLease, takeLease } from '@tollgate/store/leases'
import type { RosterChannel } from '../snapshots/snapshots.ts'
import { keyNow, type StoredKeyParts, storeSuccessor } from './stored-key.ts'

/** A channel some of whose keys end. */
export type ExpiringChannel = Pick<RosterChannel, 'id' | 'provider' | 'other' | 'setting'>

/** Why a successor is wanted: a call needs it, the upstream refused the key, its time has come, an operator asks. */
export type RenewalReason = 'over' | 'refused' | 'due' | 'asked'

export type Renewed =
  /** By this process or another one. */
  | { readonly type: 'renewed'; readonly key: string }
  /** For operators. After `refused` only a new key helps. */
  | { readonly type: 'refused' | 'failed'; readonly message: string }
  /** The channel has no such key any more. */
  | { readonly type: 'gone' }

export interface CredentialRefresh {
  /** A key that works now: itself, or what follows it. Without a renewal it is the key itself. */
  usable(channel: ExpiringChannel, key: string): Promise<Renewed>
  /** Never rejects for what a vendor does. */
  renew(channel: ExpiringChannel, key: string, reason: RenewalReason): Promise<Renewed>
  /** Answers that are being written down are waited for. */
  close(): Promise<void>
}

export interface CredentialRefreshParts extends StoredKeyParts {
  readonly egress: Pick<Egress, 'exchange'>
  readonly notices: Pick<Notices, 'publish'>
  /** A key cannot be renewed, and its operator has not been told that yet; must not reject. */
  readonly onRefused: (channel: ExpiringChannel, message: string) => Promise<void>
  /** Between two looks at what another process does; default a quarter of a second. */
  readonly pauseMs?: number
}

const ASK_MS = 30_000
/** Longer than a question takes, so that nobody asks a second time meanwhile. */
const LEASE_MS = 2 * ASK_MS
const PAUSE_MS = 250
const ANSWER_BYTES_MAX = 256 * 1024
const NOTE_CHARACTERS = 500
/** A vendor that failed, or refused, is left alone so long by calls and jobs. */
const AFTER_FAILURE_MS = 30_000
const AFTER_REFUSAL_MS = 10 * 60_000
const REMEMBERED_MAX = 2_000

/**
 * Renews keys that end. A vendor gives each successor once, so of all processes one asks at a time, and what it is told is
 * written over the very key that was sent or not at all. A process that is killed between the vendor's answer and the
 * commit takes the answer with it: then somebody has to sign in again, and the key's note says so.
 */
export function openCredentialRefresh(parts: CredentialRefreshParts): CredentialRefresh {
  const { db, egress, clock, notices, log } = parts
  const pauseMs = parts.pauseMs ?? PAUSE_MS
  const holder = randomToken(12)
  /** By channel: one after the other. */
  const flights = new Map<number, Promise<unknown>>()
  /** However many calls want the same at once, it is looked after once. */
  const shared = new Map<string, Promise<Renewed>>()
  const remembered = new Map<string, { readonly outcome: Renewed; readonly untilMs: number }>()

  function usable(channel: ExpiringChannel, key: string): Promise<Renewed> {
    const life = channel.provider.renewal?.lifeOf(key)
    if (life === undefined || !isOver(life, clock.nowMs())) return Promise.resolve({ type: 'renewed', key })
    return renew(channel, key, 'over')
  }

  function renew(channel: ExpiringChannel, key: string, reason: RenewalReason): Promise<Renewed> {
    const wish = `${reason}:${channelKeyHash(channel.id, key)}`
    const running = shared.get(wish)
    if (running !== undefined) return running
    const flight = queued(channel, key, reason).finally(() => shared.delete(wish))
    shared.set(wish, flight)
    return flight
  }

  function queued(channel: ExpiringChannel, key: string, reason: RenewalReason): Promise<Renewed> {
    const before = flights.get(channel.id) ?? Promise.resolve()
    const flight = before.then(() => renewOnce(channel, key, reason))
    const quiet = flight
      .catch(() => undefined)
      .finally(() => {
        if (flights.get(channel.id) === quiet) flights.delete(channel.id)
      })
    flights.set(channel.id, quiet)
    return flight
  }

  async function renewOnce(channel: ExpiringChannel, key: string, reason: RenewalReason): Promise<Renewed> {
    const { renewal } = channel.provider
    if (renewal === undefined) return { type: 'renewed', key }
    const wish = { channel, key, renewal, reason }
    const known = reason === 'asked' ? undefined : recall(wish)
    if (known !== undefined) return known
    const outcome = await inTurn(wish)
    remember(wish, outcome)
    return outcome
  }

  async function inTurn(wish: Wish): Promise<Renewed> {
    const lease = { name: `key-renewal:${wish.channel.id}`, holder }
    for (let waitedMs = 0; !(await takeLease(db, { ...lease, leaseMs: LEASE_MS })); waitedMs += pauseMs) {
      const key = await keyNow(wish.channel.id, wish, parts)
      if (key === undefined) return { type: 'gone' }
      if (key !== wish.key) return { type: 'renewed', key }
      if (waitedMs > LEASE_MS) return { type: 'failed', message: 'another process is renewing this key' }
      await sleep(pauseMs)
    }
    try {
      return await asOnlyOne(wish)
    } finally {
      // Without the database it runs out by itself.
      await releaseLease(db, lease).catch(() => undefined)
    }
  }

  async function asOnlyOne(wish: Wish): Promise<Renewed> {
    const { channel, renewal } = wish
    const key = await keyNow(channel.id, wish, parts)
    if (key === undefined) return { type: 'gone' }
    if (!isWanted(wish, key, clock.nowMs())) return { type: 'renewed', key }
    const answer = await ask({ ...wish, key })
    if (answer.type === 'renewed') return keep(wish, { from: key, to: answer.key })
    const message = withoutSecrets(answer.message, renewal.secretsOf(key)).slice(0, NOTE_CHARACTERS)
    const note = { channelId: channel.id, hash: channelKeyHash(channel.id, key), note: message }
    const isNews = await noteKey(db, note)
    if (isNews && answer.type === 'refused') await parts.onRefused(channel, message)
    log.warn({ channelId: channel.id, reason: message }, 'a key could not be renewed')
    return { type: answer.type, message }
  }

  async function ask({ channel, key, renewal }: Wish): Promise<RenewalAnswer> {
    const request = renewal.request(key, channel.other)
    if (request === undefined) return { type: 'refused', message: 'the key has nothing to be renewed with' }
    try {
      const { status, body } = await egress.exchange({
        method: 'POST',
        ...request,
        timeoutMs: ASK_MS,
        bytesMax: ANSWER_BYTES_MAX,
        proxy: proxyAddress(channel.setting['proxy']),
      })
      return renewal.read({ status, body }, { key, nowMs: clock.nowMs() })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return { type: 'failed', message: error.textIn('en') }
    }
  }

  async function keep({ channel }: Wish, keys: { from: string; to: string }): Promise<Renewed> {
    if (!(await storeSuccessor(channel.id, keys, parts))) return { type: 'gone' }
    await notices.publish({ entity: 'channel', id: channel.id })
    return { type: 'renewed', key: keys.to }
  }

  function recall({ channel, key }: Wish): Renewed | undefined {
    const known = remembered.get(channelKeyHash(channel.id, key))
    return known !== undefined && clock.nowMs() < known.untilMs ? known.outcome : undefined
  }

  function remember({ channel, key }: Wish, outcome: Renewed): void {
    const hash = channelKeyHash(channel.id, key)
    remembered.delete(hash)
    if (outcome.type !== 'refused' && outcome.type !== 'failed') return
    const [oldest] = remembered.keys()
    if (oldest !== undefined && remembered.size >= REMEMBERED_MAX) remembered.delete(oldest)
    const waitMs = outcome.type === 'refused' ? AFTER_REFUSAL_MS : AFTER_FAILURE_MS
    remembered.set(hash, { outcome, untilMs: clock.nowMs() + waitMs })
  }

  return {
    usable,
    renew,
    close: async () => void (await Promise.all(flights.values())),
  }
}

interface Wish {
  readonly channel: ExpiringChannel
  readonly key: string
  readonly renewal: KeyRenewal
  readonly reason: RenewalReason
}

/** `key` is what the channel has now: perhaps what another process was given meanwhile. */
function isWanted({ renewal, reason, ...wish }: Wish, key: string, nowMs: number): boolean {
  if (reason === 'asked') return true
  const life = renewal.lifeOf(key)
  if (reason === 'refused' && key === wish.key) return true
  if (life === undefined) return false
  return reason === 'due' ? isDue(life, nowMs) : isOver(life, nowMs)
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((clean, secret) => (secret === '' ? clean : clean.replaceAll(secret, '***')), text)
}
