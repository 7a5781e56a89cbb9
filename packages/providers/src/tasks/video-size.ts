/** How a picture's size is told by those who think in shapes. */
export interface VideoShape {
  /** `16:9`; `undefined` for a size that has none of the usual ones. */
  readonly ratio: string | undefined
  /** `720p`. */
  readonly resolution: string | undefined
}

const RATIOS: readonly (readonly [string, number])[] = [
  ['16:9', 16 / 9],
  ['9:16', 9 / 16],
  ['1:1', 1],
  ['4:3', 4 / 3],
  ['3:4', 3 / 4],
  ['21:9', 21 / 9],
]
/** Encoders want whole blocks, so sizes are a little off. */
const TOLERANCE = 0.04
const RESOLUTIONS = [360, 480, 540, 720, 1080, 2160]

/** Of `1280x720`, `1280*720`, `16:9` or `720p`. */
export function shapeOf(size: string | undefined): VideoShape {
  const text = (size ?? '').toLowerCase()
  if (/^\d{1,2}:\d{1,2}$/.test(text)) return { ratio: text, resolution: undefined }
  if (/^\d{3,4}p$/.test(text)) return { ratio: undefined, resolution: text }
  const [, wide, high] = /^(\d{2,5})[x*](\d{2,5})$/.exec(text) ?? []
  if (wide === undefined || high === undefined) return { ratio: undefined, resolution: undefined }
  const proportion = Number(wide) / Number(high)
  const ratio = RATIOS.find(([, exact]) => Math.abs(proportion / exact - 1) < TOLERANCE)?.[0]
  const short = Math.min(Number(wide), Number(high))
  const lines = RESOLUTIONS.findLast((lower) => lower <= short * (1 + TOLERANCE)) ?? RESOLUTIONS[0]
  return { ratio, resolution: `${lines}p` }
}

export function isSize(text: string): boolean {
  return /^(?:\d{2,5}[x*]\d{2,5}|\d{1,2}:\d{1,2}|\d{3,4}p|[248]k)$/i.test(text)
}
