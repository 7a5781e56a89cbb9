import { problem } from '@tollgate/problems/problem'

/** The model kinds, indexed by the number of input images. */
const KINDS = ['t2v', 'i2v_first', 'i2v_first_tail']

/**
 * Returns the vendor's name of a model. The third generation has a separate name for each number of input
 * images; clients of other APIs use a common name.
 */
export function vendorName(model: string, images: number): string {
  if (model === 'jimeng_v30_pro') return 'jimeng_ti2v_v30_pro'
  return model.replace(/^jimeng_v30/, `jimeng_${KINDS[images] ?? KINDS[0]}_v30`)
}

/**
 * Returns the common name for the vendor's name of a model; `undefined` for a model with one name. Throws
 * when the number of images does not match the name, because another kind of video would be made than was
 * requested.
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

/** The vendor makes videos of five or ten seconds and takes the length as a number of frames. */
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
