import { isRecord, type JsonObject } from '@tollgate/dialects/json'
import { foldName } from '@tollgate/kit/fold-name'

/** Names, folded, under which vendors read the length of a video in seconds. */
const LENGTHS = new Set([
  'duration',
  'durationins',
  'durationsec',
  'durationsecs',
  'durationseconds',
  'length',
  'lengthseconds',
  'seconds',
  'videoduration',
  'videodurationseconds',
  'videolength',
  'videoseconds',
])
/** Names, folded, for a length in other units, or for a number of videos. */
const OTHER_QUANTITIES = new Set([
  'batchsize',
  'count',
  'durationframes',
  'durationms',
  'framecount',
  'frames',
  'framesnum',
  'n',
  'nframes',
  'num',
  'numberofframes',
  'numberofvideos',
  'numframes',
  'numoutputs',
  'numsamples',
  'numvideos',
  'quantity',
  'samplecount',
  'samples',
  'videocount',
  'videoframes',
])
/** Members, folded, that hold options of the vendor. */
const HOLDERS = new Set([
  'config',
  'extrabody',
  'extrafields',
  'generationconfig',
  'input',
  'metadata',
  'options',
  'parameters',
  'videoconfig',
])
const DEPTH_MAX = 3

/** The lengths that options name, under every name that a vendor may read. */
export function listLengths(options: JsonObject, depth = 0): readonly unknown[] {
  return Object.entries(options).flatMap(([name, value]) => {
    const folded = foldName(name)
    if (LENGTHS.has(folded)) return [value]
    return isHolder(folded, value, depth) ? listLengths(value, depth + 1) : []
  })
}

/**
 * Options without length and number. They are part of the price, and what was paid is sent under the vendor's own
 * name.
 */
export function withoutQuantities(options: JsonObject, depth = 0): JsonObject {
  const kept = Object.entries(options).flatMap(([name, value]) => {
    const folded = foldName(name)
    if (LENGTHS.has(folded) || OTHER_QUANTITIES.has(folded)) return []
    return [[name, isHolder(folded, value, depth) ? withoutQuantities(value, depth + 1) : value] as const]
  })
  return Object.fromEntries(kept)
}

function isHolder(folded: string, value: unknown, depth: number): value is JsonObject {
  return depth < DEPTH_MAX && HOLDERS.has(folded) && isRecord(value)
}
