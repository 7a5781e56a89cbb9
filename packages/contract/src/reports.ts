import { queryInteger } from './query.ts'

const LAST_SECOND = 253_402_300_799

/**
 * A limit of a time range, inclusive, in seconds unless `unitsPerSecond` says otherwise; 0 or missing: no
 * limit.
 */
export function queryTime(unitsPerSecond: 1 | 1000 = 1) {
  const last = unitsPerSecond === 1 ? LAST_SECOND : LAST_SECOND * unitsPerSecond + unitsPerSecond - 1
  return queryInteger({ fallback: 0, min: 0, max: last })
}

/** Names of tokens, models and groups may be longer than other search terms. */
export const NAME_CHARACTERS_MAX = 255
