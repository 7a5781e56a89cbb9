import type { RosterChannel } from '../../../snapshots/snapshots.ts'

export interface Draw {
  readonly tiers: readonly (readonly RosterChannel[])[]
  /** 0 for the first attempt of a call. */
  readonly attempt: number
  /** Whether this call has tried the channel; tried channels are not drawn again. */
  readonly isTried: (channelId: number) => boolean
  /** Whether all keys of the channel are in cool-down; such a channel is drawn only when no other is left. */
  readonly isResting: (channel: RosterChannel) => boolean
  /** Whether the channel's provider supports what is requested. */
  readonly isFit: (channel: RosterChannel) => boolean
  /**
   * Whether the call's session is bound to the channel. Such a channel is taken without a draw, if it is in the
   * tier that the draw would use and is not in cool-down.
   */
  readonly isBound?: ((channel: RosterChannel) => boolean) | undefined
  /**
   * Whether the channel can read what an upstream sealed in the conversation. Such a channel is taken before all
   * others of the tier, except for the one of the session if it can read it too.
   */
  readonly isSealer?: ((channel: RosterChannel) => boolean) | undefined
  /** Uniform in [0, 1). */
  readonly random: () => number
}

/** Added to every weight, so that a channel with weight 0 has a chance too. */
const WEIGHT_BASE = 10

/**
 * Draws the channel for one attempt; `undefined` when every candidate was tried. Attempt n starts at priority
 * tier n (or the last one). When that tier has no channel left, lower tiers follow and then higher ones.
 * Within a tier the draw is random, by weight.
 */
export function drawChannel(draw: Draw): RosterChannel | undefined {
  const { tiers, attempt } = draw
  const first = Math.min(attempt, tiers.length - 1)
  const ordered = first <= 0 ? tiers : [...tiers.slice(first), ...tiers.slice(0, first).reverse()]
  return drawFrom(ordered, draw, true) ?? drawFrom(ordered, draw, false)
}

function drawFrom(tiers: Draw['tiers'], draw: Draw, isRested: boolean): RosterChannel | undefined {
  for (const tier of tiers) {
    const fit = tier.filter((channel) => isCandidate(channel, draw) && !(isRested && draw.isResting(channel)))
    if (fit.length > 0) return (isRested && bound(fit, draw)) || byWeight(fit, draw.random())
  }
  return undefined
}

function bound(fit: readonly RosterChannel[], { isBound, isSealer }: Draw): RosterChannel | undefined {
  const ofSession = isBound && fit.find(isBound)
  if (isSealer === undefined || (ofSession !== undefined && isSealer(ofSession))) return ofSession
  return fit.find(isSealer) ?? ofSession
}

function isCandidate(channel: RosterChannel, draw: Draw): boolean {
  return !draw.isTried(channel.id) && draw.isFit(channel)
}

function byWeight(channels: readonly RosterChannel[], chance: number): RosterChannel | undefined {
  if (channels.length === 1) return channels[0]
  let left = chance * channels.reduce((sum, channel) => sum + share(channel), 0)
  return channels.find((channel) => (left -= share(channel)) < 0) ?? channels.at(-1)
}

/** The weight of a channel in the draw. */
export function share({ weight }: RosterChannel): number {
  return weight + WEIGHT_BASE
}
