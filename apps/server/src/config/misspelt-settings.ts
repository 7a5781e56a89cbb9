import type { Environment } from './environment.ts'
import { FILE_SUFFIX } from './secret-files.ts'

/** Short names are near too many others. */
const LETTERS_MIN = 6
const DISTANCE_MAX = 2

/** Names that other programs of the family, and hosts, use for what is called otherwise here. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  DATABASE_URL: 'SQL_DSN',
  REDIS_URL: 'REDIS_CONN_STRING',
  TRUSTED_PROXY: 'TRUSTED_PROXIES',
  STREAM_TIMEOUT: 'STREAMING_TIMEOUT',
  EGRESS_ALLOWED: 'EGRESS_ALLOW',
  SQLITE_DB_PATH: 'SQLITE_PATH',
  MAX_REQUEST_BODY: 'MAX_REQUEST_BODY_MB',
}

/** One line for each variable that is no setting of ours but was probably meant to be one. */
export function findMisspelt(environment: Environment, settingNames: readonly string[]): readonly string[] {
  const names = new Set(settingNames.flatMap((name) => [name, name + FILE_SUFFIX]))
  return Object.entries(environment).flatMap(([name, value]) => {
    if ((value ?? '') === '' || names.has(name)) return []
    const meant = OTHER_NAMES[name] ?? findNearest(name, settingNames)
    return meant === undefined ? [] : [`${name} has no effect: did you mean ${meant}?`]
  })
}

function findNearest(name: string, settingNames: readonly string[]): string | undefined {
  if (name.length < LETTERS_MIN) return undefined
  const near = settingNames
    .filter((one) => one.length >= LETTERS_MIN && Math.abs(one.length - name.length) <= DISTANCE_MAX)
    .map((one) => ({ one, distance: editDistance(name, one) }))
    .filter(({ distance }) => distance <= DISTANCE_MAX)
    .toSorted((first, second) => first.distance - second.distance)
  return near[0]?.one
}

/** Letters that are inserted, removed or changed to get from one word to the other. */
export function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of from.split('').entries()) {
    const next = [index + 1]
    for (let column = 1; column <= to.length; column++) {
      const changed = (row[column - 1] ?? 0) + (letter === to[column - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
