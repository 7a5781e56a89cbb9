import type { RosterChannel } from '../../books/books.ts'

/**
 * Which key of a channel is next, and which keys rest after a failure. Kept per process and in memory: a restart tries
 * everything afresh. A channel whose keys change begins with a clean sheet.
 */
export class KeyHealth {
  readonly #channels = new Map<number, ChannelKeys>()

  /** Takes turns among the keys that are not resting; when all rest, the one that has rested longest. */
  next(channel: RosterChannel, now: number): number {
    if (channel.keys.length === 1) return 0
    const state = this.#of(channel)
    const fit = state.keys.findIndex((_key, offset) => !isResting(state, turn(state, offset), now))
    const index = fit === -1 ? longestRested(state) : turn(state, fit)
    state.turn = index + 1
    return index
  }

  /** Every key of the channel rests. */
  isResting(channel: RosterChannel, now: number): boolean {
    const state = this.#channels.get(channel.id)
    if (state === undefined || !isSameKeys(state.keys, channel.keys)) return false
    return state.health.every((health) => health.restsUntil > now)
  }

  succeeded(channel: RosterChannel, keyIndex: number): void {
    // Nothing to forget for a channel that never failed: the common case.
    if (!this.#channels.has(channel.id)) return
    const health = this.#of(channel).health[keyIndex]
    if (health) Object.assign(health, restored())
  }

  rest(channel: RosterChannel, keyIndex: number, until: number): void {
    const health = this.#of(channel).health[keyIndex]
    if (health) health.restsUntil = Math.max(health.restsUntil, until)
  }

  /** Counts a failure of the key, and says how many there were within the window without a success between. */
  strike(channel: RosterChannel, keyIndex: number, at: { now: number; windowMs: number }): number {
    const health = this.#of(channel).health[keyIndex]
    if (!health) return 0
    health.strikes = health.strikes.filter((time) => time > at.now - at.windowMs).slice(-STRIKES_KEPT)
    health.strikes.push(at.now)
    return health.strikes.length
  }

  /** Marks a key as refused by the upstream; `true` when no other key of the channel is left. */
  condemn(channel: RosterChannel, keyIndex: number): boolean {
    const state = this.#of(channel)
    const health = state.health[keyIndex]
    if (health) health.isCondemned = true
    return state.health.every(({ isCondemned }) => isCondemned)
  }

  #of(channel: RosterChannel): ChannelKeys {
    const known = this.#channels.get(channel.id)
    if (known && isSameKeys(known.keys, channel.keys)) return known
    const fresh = { keys: channel.keys, turn: 0, health: channel.keys.map(restored) }
    this.#channels.set(channel.id, fresh)
    return fresh
  }
}

interface ChannelKeys {
  readonly keys: readonly string[]
  readonly health: Health[]
  turn: number
}

interface Health {
  restsUntil: number
  isCondemned: boolean
  strikes: number[]
}

const STRIKES_KEPT = 16

function restored(): Health {
  return { restsUntil: 0, isCondemned: false, strikes: [] }
}

function turn(state: ChannelKeys, offset: number): number {
  return (state.turn + offset) % state.keys.length
}

function isResting(state: ChannelKeys, index: number, now: number): boolean {
  return (state.health[index]?.restsUntil ?? 0) > now
}

function longestRested({ health }: ChannelKeys): number {
  const soonest = Math.min(...health.map(({ restsUntil }) => restsUntil))
  return health.findIndex(({ restsUntil }) => restsUntil === soonest)
}

function isSameKeys(left: readonly string[], right: readonly string[]): boolean {
  return left === right || (left.length === right.length && left.every((key, index) => key === right[index]))
}
