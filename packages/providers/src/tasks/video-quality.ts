import type { JsonObject } from '@tollgate/dialects/json'
import { problem } from '@tollgate/problems/problem'
import type { VideoWork } from './task.ts'
import { linesOf } from './video-size.ts'

/**
 * Sound and service tier as the client requested them. Each vendor receives them in its own format; a vendor
 * without a parameter for them refuses the request.
 */
export type RequestedQuality = Pick<VideoWork, 'sound' | 'tier'>

/** The vendors' member names for sound on or off. */
const SOUND = ['generate_audio', 'generateAudio', 'audio', 'sound'] as const
/** The vendors' member names for the service tier. */
const TIER = ['service_tier', 'off_peak'] as const

/** These members are sent only in the form of {@link RequestedQuality}, never as the client wrote them. */
export const QUALITY_MEMBERS: readonly string[] = [...SOUND, ...TIER]

/**
 * Unlike new-api: members that change the vendor's price are read once and strictly, and are never passed on
 * in another form.
 */
export function qualityOf(body: JsonObject, metadata: JsonObject): RequestedQuality {
  const reported = (name: string) => body[name] ?? metadata[name] ?? undefined
  const sound = same(SOUND.map((name) => [name, flagOf(reported(name), name)]))
  return { sound, tier: tierOf(reported('service_tier'), flagOf(reported('off_peak'), 'off_peak')) }
}

function same(reported: readonly (readonly [string, boolean | undefined])[]): boolean | undefined {
  const [first, ...others] = reported.filter(([, value]) => value !== undefined)
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

/**
 * For vendors that cannot turn sound on or off. Ignoring the parameter would charge for another video than is
 * made.
 */
export function refuseSound({ sound }: VideoWork): void {
  if (sound !== undefined) throw problem('video_quality_unsupported', { quality: wordOfSound(sound) })
}

/** For vendors without service tiers. */
export function refuseTier({ tier }: VideoWork): void {
  if (tier !== undefined) throw problem('video_quality_unsupported', { quality: tier })
}

/** For vendors whose only tier is an off-peak flag. `undefined`: the standard tier. */
export function offPeakOf({ tier }: VideoWork): boolean | undefined {
  if (tier !== undefined && tier !== OFF_PEAK) throw problem('video_quality_unsupported', { quality: tier })
  return tier === undefined ? undefined : true
}

/** For vendors that have service tiers, but none named off-peak. */
export function serviceTierOf({ tier }: VideoWork): string | undefined {
  if (tier === OFF_PEAK) throw problem('video_quality_unsupported', { quality: tier })
  return tier
}

function wordOfSound(sound: boolean): string {
  return sound ? 'audio' : 'silent'
}

/** Members of a single vendor that raise the price of a video, and the quality word for each. */
const EXTRAS: readonly (readonly [member: string, word: string])[] = [
  ['voice_list', 'voice'],
  ['is_rec', 'rec'],
  ['tools', 'tools'],
]

/**
 * Words with another meaning. A client could otherwise select their price by sending them as a mode that the
 * vendor ignores.
 */
const RESERVED: ReadonlySet<string> = new Set([
  'audio',
  'silent',
  'flex',
  OFF_PEAK,
  ...EXTRAS.map(([, word]) => word),
])

/** A valid mode word. The pattern excludes anything that could be read as a resolution or a length. */
const MODE = /^[a-z][a-z0-9_-]*$/

/**
 * Returns the properties of a video on which its price may depend, as words: `1080p`, `pro`, `audio`, `flex`,
 * `10s`. If several prices match equally many words, the one with the earliest word is used.
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
