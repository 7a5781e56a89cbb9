import type { JsonObject } from '@tollgate/dialects/json'
import { problem } from '@tollgate/kit/problem'
import type { VideoWork } from './platform.ts'
import { linesOf } from './video-size.ts'

/** What a caller said of sound and service. Each vendor is told in its own words; one that has none refuses. */
export type ToldQuality = Pick<VideoWork, 'sound' | 'tier'>

/** Vendors' names for whether a video has sound. */
const SOUND = ['generate_audio', 'generateAudio', 'audio', 'sound'] as const
/** Vendors' names for how soon it is made. */
const TIER = ['service_tier', 'off_peak'] as const

/** They go out as {@link ToldQuality} alone. */
export const QUALITY_MEMBERS: readonly string[] = [...SOUND, ...TIER]

/** WEAKNESS: what changes the vendor's price is read once, strictly, and never handed on as something else. */
export function qualityOf(body: JsonObject, metadata: JsonObject): ToldQuality {
  const told = (name: string) => body[name] ?? metadata[name] ?? undefined
  const sound = same(SOUND.map((name) => [name, flagOf(told(name), name)]))
  return { sound, tier: tierOf(told('service_tier'), flagOf(told('off_peak'), 'off_peak')) }
}

function same(told: readonly (readonly [string, boolean | undefined])[]): boolean | undefined {
  const [first, ...others] = told.filter(([, value]) => value !== undefined)
  const contrary = others.find(([, value]) => value !== first?.[1])
  if (contrary !== undefined) throw problem('member_invalid', { param: contrary[0] })
  return first?.[1]
}

const FLAGS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [true, true],
  [false, false],
  ['true', true],
  ['false', false],
  ['on', true],
  ['off', false],
])

function flagOf(value: unknown, param: string): boolean | undefined {
  if (value === undefined || value === '') return undefined
  const flag = FLAGS.get(value)
  if (flag === undefined) throw problem('member_invalid', { param })
  return flag
}

const ORDINARY: ReadonlySet<string> = new Set(['', 'default', 'auto', 'standard'])
const OFF_PEAK = 'off-peak'

function tierOf(value: unknown, isOffPeak: boolean | undefined): string | undefined {
  if (value !== undefined && (typeof value !== 'string' || !/^[a-z]{0,32}$/.test(value)))
    throw problem('member_invalid', { param: 'service_tier' })
  const tier = value === undefined || ORDINARY.has(value) ? undefined : value
  if (isOffPeak !== true) return tier
  if (tier !== undefined) throw problem('member_invalid', { param: 'off_peak' })
  return OFF_PEAK
}

/** For vendors who cannot leave sound out or add it: what was paid for would not be what is made. */
export function refuseSound({ sound }: VideoWork): void {
  if (sound !== undefined) throw problem('video_quality_unsupported', { quality: wordOfSound(sound) })
}

/** For vendors who make everything at one pace. */
export function refuseTier({ tier }: VideoWork): void {
  if (tier !== undefined) throw problem('video_quality_unsupported', { quality: tier })
}

/** `undefined`: the ordinary one. For a vendor with a flag for it alone. */
export function offPeakOf({ tier }: VideoWork): boolean | undefined {
  if (tier !== undefined && tier !== OFF_PEAK) throw problem('video_quality_unsupported', { quality: tier })
  return tier === undefined ? undefined : true
}

/** For a vendor with other words for it than off the peak. */
export function serviceTierOf({ tier }: VideoWork): string | undefined {
  if (tier === OFF_PEAK) throw problem('video_quality_unsupported', { quality: tier })
  return tier
}

function wordOfSound(sound: boolean): string {
  return sound ? 'audio' : 'silent'
}

/** Members for one vendor alone that make a video dearer there, and the word for each. */
const EXTRAS: readonly (readonly [member: string, word: string])[] = [
  ['voice_list', 'voice'],
  ['is_rec', 'rec'],
  ['tools', 'tools'],
]

/** Words that stand for something else cannot be had as a mode that nobody reads. */
const RESERVED: ReadonlySet<string> = new Set([
  'audio',
  'silent',
  'flex',
  OFF_PEAK,
  ...EXTRAS.map(([, word]) => word),
])

/** A word for how a video is made; nothing that could be taken for lines or seconds. */
const MODE = /^[a-z][a-z0-9_-]*$/

/**
 * How a video is made, as far as its price may depend on it, in words: `1080p`, `pro`, `audio`, `flex`, `10s`. Those that
 * come first decide between prices that have equally many of them.
 */
export function qualityWords(work: VideoWork): readonly string[] {
  const { mode, sound, tier, seconds, extras } = work
  const modeWord = mode?.toLowerCase() ?? ''
  return [
    linesOf(work),
    MODE.test(modeWord) && !RESERVED.has(modeWord) ? modeWord : undefined,
    sound === undefined ? undefined : wordOfSound(sound),
    tier,
    seconds === undefined ? undefined : `${seconds}s`,
    ...EXTRAS.map(([member, word]) => (isAsked(extras[member]) ? word : undefined)),
  ].filter((word) => word !== undefined)
}

function isAsked(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  return value !== undefined && value !== null && value !== false && value !== ''
}
