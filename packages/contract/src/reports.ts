import { queryInteger } from './query.ts'
import { usualReading } from './route.ts'

/** What routes have in common that only tell what happened: of everybody to admins, of oneself to everybody. */

export const ofEverybody = { ...usualReading, access: 'admin', owner: 'site' } as const
export const ofOneself = { ...usualReading, access: 'user', owner: 'self' } as const

const LAST_SECOND = 253_402_300_799

/** A bound of a range of times, inclusive, in seconds unless told; 0 or missing = open. */
export function queryTime(unitsPerSecond: 1 | 1000 = 1) {
  const last = unitsPerSecond === 1 ? LAST_SECOND : LAST_SECOND * unitsPerSecond + unitsPerSecond - 1
  return queryInteger({ fallback: 0, min: 0, max: last })
}

/** Names of tokens, models and groups may be longer than what is searched for elsewhere. */
export const NAME_CHARACTERS_MAX = 255
