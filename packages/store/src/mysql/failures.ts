import { StoreError, type StoreErrorKind } from '../database/errors.ts'

/** Error numbers of MySQL and MariaDB. Up to 1,900 they are the same. */
export const DUPLICATE_ENTRY = 1062
/** The table, column, index or constraint exists, or the one to be dropped does not. */
export const ALREADY_DONE = [1050, 1060, 1061, 1091, 1826, 3822] as const

/**
 * Lock wait timeout, deadlock, row changed since it was read, query interrupted or too long (MariaDB, MySQL).
 */
const BUSY = new Set([1205, 1213, 1020, 1317, 1969, 3024])
/**
 * Disk or table full, too many connections, shutting down, read-only, network error, connection killed or
 * idle for too long.
 */
const AWAY = new Set([
  1021, 1040, 1053, 1077, 1079, 1080, 1114, 1129, 1152, 1158, 1159, 1160, 1161, 1203, 1226, 1290, 1792, 1836,
  1927, 3169, 4031,
])
/** Null, duplicate, foreign key, out of range, too long, check (MySQL, MariaDB). */
const CONSTRAINT = new Set([1048, DUPLICATE_ENTRY, 1216, 1217, 1264, 1406, 1451, 1452, 1586, 3819, 4025])

export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const message = error instanceof Error ? error.message : String(error)
  const code = numberOf(error)
  if (isFatal(error)) return new StoreError('unreachable', message, { code: code ?? 0, cause: error })
  if (code === undefined) return new StoreError('bug', message, { cause: error })
  return new StoreError(kindOf(code), message, { code, cause: error })
}

/** `undefined` when the error is not the server's. Numbers below 0 are those of the operating system. */
export function numberOf(error: unknown): number | undefined {
  const number = error instanceof Error && 'errno' in error ? error.errno : undefined
  return typeof number === 'number' && number > 0 ? number : undefined
}

/** The driver sets `fatal` on errors that ended its connection. */
function isFatal(error: unknown): boolean {
  return error instanceof Error && 'fatal' in error && error.fatal === true
}

function kindOf(code: number): StoreErrorKind {
  if (BUSY.has(code)) return 'busy'
  if (AWAY.has(code)) return 'unreachable'
  return CONSTRAINT.has(code) ? 'constraint' : 'bug'
}
