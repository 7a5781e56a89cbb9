import { setTimeout as sleep } from 'node:timers/promises'
import type { Notices } from '@tollgate/coordination/notices'
import type { Egress } from '@tollgate/egress/egress'
import { proxyAddress } from '@tollgate/egress/proxies'
import { randomToken } from '@tollgate/kit/ids'
import { Problem } from '@tollgate/problems/problem'
import { isDue, isOver, type KeyRenewal, type RenewalAnswer } from '@tollgate/providers/sign/renewal'
import { channelKeyHash, noteKey } from '@tollgate/store/channels/keys'
import { releaseLease, takeLease } from '@tollgate/store/operations/leases'
import type { RosterChannel } from '../snapshots/snapshots.ts'
import { currentKey, type StoredKeyParts, storeSuccessor } from './stored-key.ts'

/** A channel with expiring credentials. */
export type ExpiringChannel = Pick<RosterChannel, 'id' | 'provider' | 'other' | 'settings'>

/**
 * Why a refresh is requested: a call needs the expired key (`over`), the upstream refused the key, the
 * refresh is due, or an operator requested it (`asked`).
 */
export type RenewalReason = 'over' | 'refused' | 'due' | 'asked'

export type RefreshResult =
  /** Refreshed by this process or by another one. */
  | { readonly type: 'renewed'; readonly key: string }
  /** For operators. After `refused`, only a new key helps. */
  | { readonly type: 'refused' | 'failed'; readonly message: string }
  /** The channel no longer has this key. */
  | { readonly type: 'gone' }

export interface CredentialRefresh {
  /**
   * Returns a key that works now: the given key, or its successor. A key that does not expire is returned as
   * it is.
   */
  usable(channel: ExpiringChannel, key: string): Promise<RefreshResult>
  /** Never rejects because of an error of the vendor. */
  renew(channel: ExpiringChannel, key: string, reason: RenewalReason): Promise<RefreshResult>
  /** Waits until refreshed keys that are being stored have been written. */
  close(): Promise<void>
}

export interface CredentialRefreshParts extends StoredKeyParts {
  readonly egress: Pick<Egress, 'exchange'>
  readonly notices: Pick<Notices, 'publish'>
  /**
   * Called when a vendor refused to refresh a key and this was not reported to the operator before; must not
   * reject.
   */
  readonly onRefused: (channel: ExpiringChannel, message: string) => Promise<void>
  /** Pause between two checks for the result of another process; default 250 ms. */
  readonly pauseMs?: number
}

const ASK_MS = 30_000
/** Longer than a refresh request takes, so that no second process sends one meanwhile. */
const LEASE_MS = 2 * ASK_MS
const PAUSE_MS = 250
const ANSWER_BYTES_MAX = 256 * 1024
const NOTE_CHARACTERS = 500
/** After a failure or a refusal, calls and jobs do not contact the vendor again for this long. */
const AFTER_FAILURE_MS = 30_000
const AFTER_REFUSAL_MS = 10 * 60_000
const REMEMBERED_MAX = 2_000

/**
 * Refreshes expiring keys. A vendor issues each successor only once, so only one process at a time sends the
 * request, and the successor replaces exactly the key that was sent, or nothing is written. If a process is
 * killed between the vendor's response and the commit, the successor is lost: then an operator has to sign in
 * again, and the note on the key says so.
 */
export function openCredentialRefresh(parts: CredentialRefreshParts): CredentialRefresh {
  const { db, egress, clock, notices, log } = parts
  const pauseMs = parts.pauseMs ?? PAUSE_MS
  const holder = randomToken(12)
  /** Refreshes of one channel run one after the other. */
  const flights = new Map<number, Promise<unknown>>()
  /** Calls that want the same refresh at the same time share one. */
  const shared = new Map<string, Promise<RefreshResult>>()
  const remembered = new Map<string, { readonly outcome: RefreshResult; readonly untilMs: number }>()

  function usable(channel: ExpiringChannel, key: string): Promise<RefreshResult> {
    const life = channel.provider.renewal?.lifeOf(key)
    if (life === undefined || !isOver(life, clock.nowMs())) return Promise.resolve({ type: 'renewed', key })
    return renew(channel, key, 'over')
  }

  function renew(channel: ExpiringChannel, key: string, reason: RenewalReason): Promise<RefreshResult> {
    const wish = `${reason}:${channelKeyHash(channel.id, key)}`
    const running = shared.get(wish)
    if (running !== undefined) return running
    const flight = queued(channel, key, reason).finally(() => shared.delete(wish))
    shared.set(wish, flight)
    return flight
  }

  function queued(channel: ExpiringChannel, key: string, reason: RenewalReason): Promise<RefreshResult> {
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

  async function renewOnce(
    channel: ExpiringChannel,
    key: string,
    reason: RenewalReason,
  ): Promise<RefreshResult> {
    const { renewal } = channel.provider
    if (renewal === undefined) return { type: 'renewed', key }
    const wish = { channel, key, renewal, reason }
    const known = reason === 'asked' ? undefined : recall(wish)
    if (known !== undefined) return known
    const outcome = await inTurn(wish)
    remember(wish, outcome)
    return outcome
  }

  async function inTurn(wish: Wish): Promise<RefreshResult> {
    const lease = { name: `key-renewal:${wish.channel.id}`, holder }
    for (let waitedMs = 0; !(await takeLease(db, { ...lease, leaseMs: LEASE_MS })); waitedMs += pauseMs) {
      const key = await currentKey(wish.channel.id, wish, parts)
      if (key === undefined) return { type: 'gone' }
      if (key !== wish.key) return { type: 'renewed', key }
      if (waitedMs > LEASE_MS) return { type: 'failed', message: 'another process is renewing this key' }
      await sleep(pauseMs)
    }
    try {
      return await asOnlyOne(wish)
    } finally {
      // If the database is unavailable the lease expires by itself.
      await releaseLease(db, lease).catch(() => undefined)
    }
  }

  async function asOnlyOne(wish: Wish): Promise<RefreshResult> {
    const { channel, renewal } = wish
    const key = await currentKey(channel.id, wish, parts)
    if (key === undefined) return { type: 'gone' }
    if (!isWanted(wish, key, clock.nowMs())) return { type: 'renewed', key }
    const answer = await ask({ ...wish, key })
    if (answer.type === 'renewed') return keep(wish, { from: key, to: answer.key })
    const message = withoutSecrets(answer.message, renewal.secretsOf(key)).slice(0, NOTE_CHARACTERS)
    const note = { channelId: channel.id, hash: channelKeyHash(channel.id, key), note: message }
    const isNews = await noteKey(db, note)
    if (isNews && answer.type === 'refused') await parts.onRefused(channel, message)
    log.warn({ channelId: channel.id, reason: message }, 'could not refresh a key')
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
        proxy: proxyAddress(channel.settings.proxy),
      })
      return renewal.read({ status, body }, { key, nowMs: clock.nowMs() })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      return { type: 'failed', message: error.textIn('en') }
    }
  }

  async function keep({ channel }: Wish, keys: { from: string; to: string }): Promise<RefreshResult> {
    if (!(await storeSuccessor(channel.id, keys, parts))) return { type: 'gone' }
    await notices.publish({ entity: 'channel', id: channel.id })
    return { type: 'renewed', key: keys.to }
  }

  function recall({ channel, key }: Wish): RefreshResult | undefined {
    const known = remembered.get(channelKeyHash(channel.id, key))
    return known !== undefined && clock.nowMs() < known.untilMs ? known.outcome : undefined
  }

  function remember({ channel, key }: Wish, outcome: RefreshResult): void {
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

/**
 * Whether a refresh is still needed. `key` is the channel's current key, which another process may have
 * refreshed meanwhile.
 */
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
