import type { LogRow } from '@tollgate/contract/log'
import { LOG_TYPE } from '@tollgate/kit/codes'
import type { LogFilter } from '@tollgate/store/logs/filter'
import type { UserHeader } from '../handler.ts'
import { otherMembers } from './wire.ts'

/**
 * Adapts log rows for consoles written for new-api, which show unknown types as "unknown" and compute
 * receipts themselves.
 */

const KNOWN_TYPES = [
  LOG_TYPE.topUp,
  LOG_TYPE.consumption,
  LOG_TYPE.management,
  LOG_TYPE.system,
  LOG_TYPE.checkIn,
  LOG_TYPE.refund,
]

/** Leaves out sign-ins and refused calls unless the query asks for such a type. */
export function filterFor(userHeader: UserHeader | undefined, filter: LogFilter): LogFilter {
  if (userHeader !== 'family' || filter.type !== undefined) return filter
  return { ...filter, types: KNOWN_TYPES }
}

export function rowFor(userHeader: UserHeader | undefined, row: LogRow): LogRow {
  return userHeader === 'family' ? withGroup(inClaudeArithmetic(row)) : row
}

/** These consoles read the group from `other`, where they find the ratios. */
function withGroup(row: LogRow): LogRow {
  if (row.type !== LOG_TYPE.consumption || row.group === '') return row
  const other = otherMembers(row.other)
  if (Object.keys(other).length === 0) return row
  return { ...row, other: JSON.stringify({ group: row.group, ...other }) }
}

/**
 * These consoles price cache writes only in rows marked as Claude's, and for those `prompt_tokens` must
 * exclude tokens read from or written to the cache. Imported rows may already have the mark.
 */
function inClaudeArithmetic(row: LogRow): LogRow {
  if (!row.other.includes('"cache_creation_tokens"')) return row
  const other = otherMembers(row.other)
  const { cache_tokens: read, cache_creation_tokens: written } = other
  if (other['claude'] === true || typeof written !== 'number' || written <= 0) return row
  const cached = written + (typeof read === 'number' ? read : 0)
  return {
    ...row,
    prompt_tokens: Math.max(0, row.prompt_tokens - cached),
    other: JSON.stringify({ ...other, claude: true }),
  }
}
