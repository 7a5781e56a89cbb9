import type { KeySnapshot } from '../../../ports/channel-insight.ts'
import type { RosterChannel } from '../../../snapshots/snapshots.ts'

/**
 * Chooses the next key of a channel and tracks which keys cool down after a failure. The state is per process
 * and in memory, so a restart tries every key again. A key keeps its state when other keys of its channel are
 * added or removed.
 *
 * A key whose upstream fails has a circuit breaker: it opens for a while, then one call at a time tries the
 * key, and each failed trial doubles the time.
 */
export class KeyHealth {
  readonly #channels = new Map<number, ChannelKeys>()

  /**
   * The index of the next key, in rotation among the enabled keys that are not in cool-down; if all are, the
   * one that is ready first. `bound` is a ready key that is taken out of turn.
   */
  next(channel: RosterChannel, now: number, bound?: number): number {
    if (channel.keys.length === 1) return this.#only(channel, now)
    const state = this.#of(channel)
    const index = bound ?? fitKey(state, channel, now) ?? soonestKey(state, channel)
    if (bound === undefined) state.turn = index + 1
    const health = state.health[index]
    if (health) {
      health.uses++
      health.lastUsedAt = now
      tryOut(health, now)
    }
    return index
  }

  /** Whether the key is enabled and not in cool-down. */
  isReady(channel: RosterChannel, keyIndex: number, now: number): boolean {
    if (channel.disabledKeys.has(keyIndex) || keyIndex >= channel.keys.length) return false
    return !this.#channels.has(channel.id) || (this.#of(channel).health[keyIndex]?.restsUntil ?? 0) <= now
  }

  /** Whether every enabled key of the channel is in cool-down. */
  isResting(channel: RosterChannel, now: number): boolean {
    const known = this.#channels.get(channel.id)
    if (known === undefined) return false
    const state = this.#of(channel)
    return state.health.every((health, index) => channel.disabledKeys.has(index) || health.restsUntil > now)
  }

  /** A successful response clears the key's failures and cool-down. */
  succeeded(channel: RosterChannel, keyIndex: number): void {
    // The common case: a channel that never failed has no state.
    if (!this.#channels.has(channel.id)) return
    const health = this.#of(channel).health[keyIndex]
    if (health && (health.restsUntil > 0 || health.strikes.length > 0)) Object.assign(health, clean())
  }

  /** The upstream refused this call but works, so an open circuit is closed. */
  answered(channel: RosterChannel, keyIndex: number): void {
    const health = this.#channels.get(channel.id)?.health[keyIndex]
    if (health && health.openMs > 0) Object.assign(health, { openMs: 0, restsUntil: 0 })
  }

  coolDown(channel: RosterChannel, keyIndex: number, until: number): void {
    const health = this.#of(channel).health[keyIndex]
    if (health) health.restsUntil = Math.max(health.restsUntil, until)
  }

  /** Opens the key's circuit, each time in a row for twice as long. */
  open(channel: RosterChannel, keyIndex: number, now: number): void {
    const health = this.#of(channel).health[keyIndex]
    if (!health) return
    health.openMs = Math.min(Math.max(health.openMs * 2, OPEN_MS), OPEN_MS_MAX)
    health.restsUntil = now + health.openMs
  }

  /** Whether the key's circuit was open, so that the call that failed was its trial. */
  isOnTrial(channel: RosterChannel, keyIndex: number): boolean {
    return (this.#of(channel).health[keyIndex]?.openMs ?? 0) > 0
  }

  /**
   * Records a failure of the key, and returns how many there were within the window without a success
   * between.
   */
  recordFailure(channel: RosterChannel, keyIndex: number, at: { now: number; windowMs: number }): number {
    const health = this.#of(channel).health[keyIndex]
    if (!health) return 0
    health.strikes = health.strikes.filter((time) => time > at.now - at.windowMs).slice(-STRIKES_KEPT)
    health.strikes.push(at.now)
    return health.strikes.length
  }

  /** Marks a key as refused by the upstream; `true` when the channel has no other usable key left. */
  markRefused(channel: RosterChannel, keyIndex: number): boolean {
    const state = this.#of(channel)
    const health = state.health[keyIndex]
    if (health) health.isRefused = true
    return state.health.every(({ isRefused }, index) => isRefused || channel.disabledKeys.has(index))
  }

  /** Resets a key that an operator enabled, or that passed a channel test. */
  reset(channel: RosterChannel, keyIndex: number): void {
    const health = this.#channels.get(channel.id)?.health[keyIndex]
    if (health) Object.assign(health, clean())
  }

  /** The current state of each key, in the order of the keys. */
  snapshot(channel: RosterChannel, now: number): readonly KeySnapshot[] {
    if (!this.#channels.has(channel.id)) return channel.keys.map(() => READY)
    return this.#of(channel).health.map((health) => ({
      state: health.restsUntil <= now ? 'ready' : health.openMs > 0 ? 'open' : 'resting',
      restMs: Math.max(0, Math.round(health.restsUntil - now)),
      uses: health.uses,
    }))
  }

  /** Returns and clears the use counts of channels with several keys. */
  takeUses(now: number): readonly KeyUse[] {
    const used: KeyUse[] = []
    for (const [channelId, { keys, health }] of this.#channels) {
      for (const [index, each] of health.entries()) {
        if (each.uses === 0) continue
        used.push({ channelId, key: keys[index] ?? '', uses: each.uses, agoMs: now - each.lastUsedAt })
        each.uses = 0
      }
    }
    return used
  }

  #only(channel: RosterChannel, now: number): number {
    const health = this.#channels.has(channel.id) ? this.#of(channel).health[0] : undefined
    if (health) tryOut(health, now)
    return 0
  }

  #of(channel: RosterChannel): ChannelKeys {
    const known = this.#channels.get(channel.id)
    if (known?.keys === channel.keys) return known
    const kept = new Map(known?.keys.map((key, index) => [key, known.health[index]]))
    const health = channel.keys.map((key) => kept.get(key) ?? restored())
    const state = { keys: channel.keys, turn: known?.turn ?? 0, health }
    this.#channels.set(channel.id, state)
    return state
  }
}

export interface KeyUse {
  readonly channelId: number
  readonly key: string
  readonly uses: number
  readonly agoMs: number
}

interface ChannelKeys {
  readonly keys: readonly string[]
  readonly health: Health[]
  turn: number
}

interface Health {
  restsUntil: number
  /** How long the circuit was last opened, in milliseconds; 0 when it is closed. */
  openMs: number
  isRefused: boolean
  strikes: number[]
  uses: number
  lastUsedAt: number
}

const STRIKES_KEPT = 16
const OPEN_MS = 10_000
const OPEN_MS_MAX = 300_000
/** During a trial no other call uses the key for this long. */
const TRIAL_MS = 30_000
const READY: KeySnapshot = { state: 'ready', restMs: 0, uses: 0 }

function clean() {
  return { restsUntil: 0, openMs: 0, isRefused: false, strikes: [] }
}

function restored(): Health {
  return { ...clean(), uses: 0, lastUsedAt: 0 }
}

/**
 * When the circuit's time is over, the next call is a trial; other calls keep avoiding the key until the
 * trial has ended or `TRIAL_MS` have passed.
 */
function tryOut(health: Health, now: number): void {
  if (health.openMs > 0 && health.restsUntil <= now) health.restsUntil = now + TRIAL_MS
}

function fitKey(
  { health, turn }: ChannelKeys,
  { disabledKeys }: RosterChannel,
  now: number,
): number | undefined {
  for (let offset = 0; offset < health.length; offset++) {
    const index = (turn + offset) % health.length
    if (!disabledKeys.has(index) && (health[index]?.restsUntil ?? 0) <= now) return index
  }
  return undefined
}

function soonestKey({ health }: ChannelKeys, { disabledKeys }: RosterChannel): number {
  let soonest = 0
  let until = Infinity
  for (const [index, { restsUntil }] of health.entries()) {
    if (disabledKeys.has(index) || restsUntil >= until) continue
    soonest = index
    until = restsUntil
  }
  return soonest
}
