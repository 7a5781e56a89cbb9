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
/** The same, and those that no size of a picture is taken for. */
const TOLD_LINES = [360, 480, 540, 720, 1080, 1440, 2160, 4320]
const LINES_OF_K: ReadonlyMap<string, number> = new Map([
  ['2k', 1440],
  ['4k', 2160],
  ['8k', 4320],
])

/** How large a video is, as its caller told it. */
export interface ToldSize {
  readonly size: string | undefined
  readonly resolution: string | undefined
}

/** Lines told apart go before those of the size. */
export function shapeOfBoth({ size, resolution }: ToldSize): VideoShape {
  const shape = shapeOf(size)
  return { ...shape, resolution: resolution?.toLowerCase() ?? shape.resolution }
}

/** One name for the lines of a video, whatever words they were told in: `1080p` for `1920x1088`, `720p` for `768P`. */
export function linesOf(told: ToldSize): string | undefined {
  const { resolution } = shapeOfBoth(told)
  if (resolution === undefined) return undefined
  return `${LINES_OF_K.get(resolution) ?? atMost(TOLD_LINES, Number.parseInt(resolution, 10))}p`
}

function atMost(steps: readonly number[], lines: number): number {
  return steps.findLast((lower) => lower <= lines * (1 + TOLERANCE)) ?? 360
}

/** Of `1280x720`, `1280*720`, `16:9`, `720p` or `4k`. */
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
