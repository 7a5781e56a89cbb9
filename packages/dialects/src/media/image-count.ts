import { foldName } from '@tollgate/kit/fold-name'
import { problem } from '@tollgate/problems/problem'
import { isRecord, type JsonObject } from '../json.ts'
import { parseTextObject } from '../json-limits.ts'

/** Maximum number of images in one request; each is charged. */
const PICTURES_MAX = 10
/** Length of the longest image series any vendor supports. https://www.volcengine.com/docs/82379/1541523 */
const SERIES_MAX = 15

/** Names under which a wrong value is refused: OpenAI's own, and those of vendors with the same rules. */
const COUNTS = ['n', 'batch_size', 'num_outputs'] as const
/** Further names, folded, under which vendors read the number of images. */
const OTHER_COUNTS = new Set([
  'count',
  'imagecount',
  'imagenum',
  'imagescount',
  'imagesnum',
  'n',
  'batchsize',
  'nimages',
  'nsamples',
  'num',
  'numberofimages',
  'numberofresults',
  'numimages',
  'numimagesperprompt',
  'numoutputs',
  'numresults',
  'numsamples',
  'quantity',
  'samplecount',
  'samples',
])
/** Members, folded, that hold options of the vendor. */
const HOLDERS = new Set([
  'config',
  'extrabody',
  'extrafields',
  'generationconfig',
  'imageconfig',
  'imagegenerationconfig',
  'input',
  'options',
  'parameters',
])
const DEPTH_MAX = 3
const MEMBERS_MAX = 200

/**
 * Maximum number of images a request may produce, under whatever name it is requested. Unlike new-api, the
 * hold covers all of them. No more than this many are delivered.
 */
export function imagesRequested(body: JsonObject): number {
  // 0 counts as 1, as in new-api and its forks.
  const reported = COUNTS.map((param) => countIn(body, param, { min: 0, max: PICTURES_MAX }) ?? 1)
  return Math.max(1, ...reported, otherCount(body), seriesOf(body))
}

/** A name that only some vendors know is no reason to refuse a value: it counts up to the maximum. */
function otherCount(body: JsonObject, depth = 0): number {
  let most = 1
  if (depth >= DEPTH_MAX) return most
  for (const name of Object.keys(body).slice(0, MEMBERS_MAX)) {
    const folded = foldName(name)
    const value = body[name]
    if (OTHER_COUNTS.has(folded)) most = Math.max(most, boundedCount(value))
    const inside = HOLDERS.has(folded) && typeof value === 'string' ? parseTextObject(value) : value
    if (HOLDERS.has(folded) && isRecord(inside)) most = Math.max(most, otherCount(inside, depth + 1))
  }
  return most
}

function boundedCount(value: unknown): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof number !== 'number' || !(number > 1)) return 1
  return Math.min(PICTURES_MAX, Math.ceil(number))
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
