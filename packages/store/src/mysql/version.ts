import { StoreOpenError } from '../database/errors.ts'

export interface MysqlVersion {
  readonly isMariaDb: boolean
  readonly numbers: readonly [number, number, number]
}

/**
 * Parses `8.0.36-0ubuntu0.22.04.1`, `10.11.6-MariaDB`, and `5.5.5-10.11.6-MariaDB`, which a MariaDB behind an
 * old proxy reports.
 */
export function parseVersion(text: string): MysqlVersion {
  const isMariaDb = /mariadb/i.test(text)
  const plain = isMariaDb ? text.replace(/^5\.5\.5-/, '') : text
  const [major = 0, minor = 0, patch = 0] = (plain.match(/^\d+(\.\d+)*/)?.[0] ?? '').split('.').map(Number)
  return { isMariaDb, numbers: [major, minor, patch] }
}

/** MySQL enforces check constraints since 8.0.16; older versions accept and ignore them. */
const MINIMUM = { mysql: [8, 0, 16], mariadb: [10, 6, 0] } as const

/** Rejects a server that is too old, before any statement that it does not know is sent. */
export function refuseOld({ isMariaDb, numbers }: MysqlVersion): void {
  const least = isMariaDb ? MINIMUM.mariadb : MINIMUM.mysql
  if (!isBelow(numbers, least)) return
  const product = isMariaDb ? 'MariaDB' : 'MySQL'
  throw new StoreOpenError(
    'old_server',
    `${product} ${least.join('.')} or newer is needed, the server is ${numbers.join('.')}.`,
  )
}

function isBelow(numbers: readonly number[], least: readonly number[]): boolean {
  const first = least.findIndex((part, index) => part !== numbers[index])
  return first !== -1 && (numbers[first] ?? 0) < (least[first] ?? 0)
}
