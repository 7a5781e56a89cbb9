import type { RosterChannel } from '../../snapshots/snapshots.ts'

export interface Draw {
  readonly tiers: readonly (readonly RosterChannel[])[]
  /** 0 for the first attempt of a call. */
  readonly attempt: number
  /** Channels this call has tried: they are not drawn again. */
  readonly isTried: (channelId: number) => boolean
  /** Channels with no key fit for use at the moment; drawn only when nothing else is left. */
  readonly isResting: (channel: RosterChannel) => boolean
  /** Channels whose provider offers what is asked for. */
  readonly isFit: (channel: RosterChannel) => boolean
  /** Uniform in [0, 1). */
  readonly random: () => number
}

/** Every channel has some chance, also with weight 0 beside others. */
const WEIGHT_BASE = 10

/**
 * The channel for one attempt, or `undefined` when every candidate was tried. Attempt n begins at priority tier n (or
 * the last); when that tier has nobody left, lower tiers follow and then higher ones. Inside a tier chance decides, by
 * weight.
 */
export function drawChannel(draw: Draw): RosterChannel | undefined {
  const { tiers, attempt } = draw
  const first = Math.min(attempt, tiers.length - 1)
  const ordered = [...tiers.slice(first), ...tiers.slice(0, Math.max(first, 0)).reverse()]
  return drawFrom(ordered, draw, true) ?? drawFrom(ordered, draw, false)
}

function drawFrom(tiers: Draw['tiers'], draw: Draw, isRested: boolean): RosterChannel | undefined {
  for (const tier of tiers) {
    const fit = tier.filter((channel) => isCandidate(channel, draw) && !(isRested && draw.isResting(channel)))
    if (fit.length > 0) return byWeight(fit, draw.random())
  }
  return undefined
}

function isCandidate(channel: RosterChannel, draw: Draw): boolean {
  return !draw.isTried(channel.id) && draw.isFit(channel)
}

function byWeight(channels: readonly RosterChannel[], chance: number): RosterChannel | undefined {
  if (channels.length === 1) return channels[0]
  let left = chance * channels.reduce((sum, channel) => sum + share(channel), 0)
  return channels.find((channel) => (left -= share(channel)) < 0) ?? channels.at(-1)
}

/** What a channel weighs in the draw. */
export function share({ weight }: RosterChannel): number {
  return weight + WEIGHT_BASE
}
