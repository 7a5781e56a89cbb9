import { problem } from '@tollgate/kit/problem'
import { isRecord, type JsonObject } from '../json.ts'
import { parseTextObject } from '../json-limits.ts'

/** The most pictures one call may ask for; each has its price. */
const PICTURES_MAX = 10
/** As many as the longest series of a vendor's. https://www.volcengine.com/docs/82379/1541523 */
const SERIES_MAX = 15

/** The dialect's name for a number of pictures, and those of vendors that are handed on. */
const COUNTS = ['n', 'batch_size', 'num_outputs'] as const

/** WEAKNESS: what is set aside is for the most pictures that may come, under whatever name they are asked for. */
export function picturesAsked(body: JsonObject): number {
  // Nothing asked for is one, in this family.
  const told = COUNTS.map((param) => countIn(body, param, { min: 0, max: PICTURES_MAX }) ?? 1)
  return Math.max(1, ...told, seriesOf(body))
}

/** A model that may draw a series draws as many as it likes, up to what it is told. */
function seriesOf(body: JsonObject): number {
  if (body['sequential_image_generation'] !== 'auto') return 1
  const told = body['sequential_image_generation_options']
  const options = typeof told === 'string' ? parseTextObject(told) : told
  const within = isRecord(options) ? options : {}
  const bounds = { min: 1, max: SERIES_MAX }
  return countIn(within, 'max_images', bounds) ?? countIn(body, 'max_images', bounds) ?? SERIES_MAX
}

interface Bounds {
  readonly min: number
  readonly max: number
}

/** Texts of a form stand for numbers too. */
function countIn(body: JsonObject, param: string, bounds: Bounds): number | undefined {
  const value = body[param] ?? undefined
  if (value === undefined || value === '') return undefined
  const number = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  if (typeof number !== 'number') throw problem('member_invalid', { param })
  if (!Number.isInteger(number) || number < bounds.min || number > bounds.max)
    throw problem('member_out_of_range', { param, ...bounds })
  return number
}
