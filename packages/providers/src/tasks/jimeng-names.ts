import { problem } from '@tollgate/kit/problem'

/** By how many pictures it starts from. */
const KINDS = ['t2v', 'i2v_first', 'i2v_first_tail']

/** The third generation has a name for each number of pictures; callers need not know. */
export function vendorName(model: string, images: number): string {
  if (model === 'jimeng_v30_pro') return 'jimeng_ti2v_v30_pro'
  return model.replace(/^jimeng_v30/, `jimeng_${KINDS[images] ?? KINDS[0]}_v30`)
}

/**
 * The other way round; `undefined` for a name that stands for itself. Throws where the pictures are not those that the
 * name is for: it would become another video than was asked for.
 */
export function familyName(name: string, images: number): string | undefined {
  if (name === 'jimeng_ti2v_v30_pro') return 'jimeng_v30_pro'
  const [, kind, rest] = /^jimeng_(t2v|i2v_first|i2v_first_tail)_(v30.*)$/.exec(name) ?? []
  if (kind === undefined || rest === undefined) return undefined
  const wanted = KINDS.indexOf(kind)
  if (images < wanted) throw problem('member_missing', { param: 'image_urls' })
  if (images > wanted) throw problem('member_too_long', { param: 'image_urls', max: wanted })
  return `jimeng_${rest}`
}

/** It makes five seconds or ten, and counts them in pictures. */
const FRAMES: ReadonlyMap<number, number> = new Map([
  [5, 121],
  [10, 241],
])

export function framesOf(seconds: number): number {
  const frames = FRAMES.get(seconds)
  if (frames === undefined) throw problem('member_invalid', { param: 'seconds' })
  return frames
}

export function secondsOfFrames(frames: unknown): number {
  const [seconds] = [...FRAMES].find(([, each]) => each === frames) ?? []
  if (seconds === undefined) throw problem('member_invalid', { param: 'frames' })
  return seconds
}
