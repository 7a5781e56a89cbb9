import { problem } from '@tollgate/problems/problem'
import { isRecord, type JsonObject } from '../json.ts'
import { parseTextObject } from '../json-limits.ts'

/** Maximum number of images in one request; each is charged. */
const PICTURES_MAX = 10
/** Length of the longest image series any vendor supports. https://www.volcengine.com/docs/82379/1541523 */
const SERIES_MAX = 15

/** OpenAI's name for the number of images, and the names of other vendors that are passed through. */
const COUNTS = ['n', 'batch_size', 'num_outputs'] as const

/**
 * Maximum number of images a request may produce, under whatever name it is requested. Unlike new-api, the
 * hold covers all of them.
 */
export function imagesRequested(body: JsonObject): number {
  // 0 counts as 1, as in new-api and its forks.
  const reported = COUNTS.map((param) => countIn(body, param, { min: 0, max: PICTURES_MAX }) ?? 1)
  return Math.max(1, ...reported, seriesOf(body))
}

/** A model that may generate a series decides its length itself, up to the maximum in the request. */
function seriesOf(body: JsonObject): number {
  if (body['sequential_image_generation'] !== 'auto') return 1
  const reported = body['sequential_image_generation_options']
  const options = typeof reported === 'string' ? parseTextObject(reported) : reported
  const within = isRecord(options) ? options : {}
  const bounds = { min: 1, max: SERIES_MAX }
  return countIn(within, 'max_images', bounds) ?? countIn(body, 'max_images', bounds) ?? SERIES_MAX
}

interface Bounds {
  readonly min: number
  readonly max: number
}

/** Form fields give numbers as strings. */
function countIn(body: JsonObject, param: string, bounds: Bounds): number | undefined {
  const value = body[param] ?? undefined
  if (value === undefined || value === '') return undefined
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  if (typeof number !== 'number') throw problem('member_invalid', { param })
  if (!Number.isInteger(number) || number < bounds.min || number > bounds.max)
    throw problem('member_out_of_range', { param, ...bounds })
  return number
}
