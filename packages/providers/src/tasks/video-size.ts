/** The size of a video as aspect ratio and resolution, for vendors that use these. */
export interface VideoShape {
  /** A ratio such as `16:9`; `undefined` for a size with an unusual ratio. */
  readonly ratio: string | undefined
  /** A resolution such as `720p`. */
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
/** Encoders need whole blocks, so sizes differ slightly from the nominal ratio. */
const TOLERANCE = 0.04
const RESOLUTIONS = [360, 480, 540, 720, 1080, 2160]
/**
 * Includes 1440 and 4320 lines, which clients can request by name but which are not derived from a size in
 * pixels.
 */
const TOLD_LINES = [360, 480, 540, 720, 1080, 1440, 2160, 4320]
const LINES_OF_K: ReadonlyMap<string, number> = new Map([
  ['2k', 1440],
  ['4k', 2160],
  ['8k', 4320],
])

/** The size of a video as the client requested it. */
export interface RequestedSize {
  readonly size: string | undefined
  readonly resolution: string | undefined
}

/** A separately requested resolution takes precedence over that of the size. */
export function shapeOfBoth({ size, resolution }: RequestedSize): VideoShape {
  const shape = shapeOf(size)
  return { ...shape, resolution: resolution?.toLowerCase() ?? shape.resolution }
}

/** Returns the resolution of a video in a uniform spelling: `1080p` for `1920x1088`, `720p` for `768P`. */
export function linesOf(reported: RequestedSize): string | undefined {
  const { resolution } = shapeOfBoth(reported)
  if (resolution === undefined) return undefined
  return `${LINES_OF_K.get(resolution) ?? atMost(TOLD_LINES, Number.parseInt(resolution, 10))}p`
}

function atMost(steps: readonly number[], lines: number): number {
  return steps.findLast((lower) => lower <= lines * (1 + TOLERANCE)) ?? 360
}

/** Parses `1280x720`, `1280*720`, `16:9`, `720p` or `4k`. */
export function shapeOf(size: string | undefined): VideoShape {
  const text = (size ?? '').toLowerCase()
  if (/^\d{1,2}:\d{1,2}$/.test(text)) return { ratio: text, resolution: undefined }
  if (isResolution(text)) return { ratio: undefined, resolution: text }
  const [, wide, high] = /^(\d{2,5})[x*](\d{2,5})$/.exec(text) ?? []
  if (wide === undefined || high === undefined) return { ratio: undefined, resolution: undefined }
  const proportion = Number(wide) / Number(high)
  const ratio = RATIOS.find(([, exact]) => Math.abs(proportion / exact - 1) < TOLERANCE)?.[0]
  const short = Math.min(Number(wide), Number(high))
  return { ratio, resolution: `${atMost(RESOLUTIONS, short)}p` }
}

export function isResolution(text: string): boolean {
  return /^(?:\d{3,4}p|[248]k)$/i.test(text)
}

export function isSize(text: string): boolean {
  return /^(?:\d{2,5}[x*]\d{2,5}|\d{1,2}:\d{1,2}|\d{3,4}p|[248]k)$/i.test(text)
}
