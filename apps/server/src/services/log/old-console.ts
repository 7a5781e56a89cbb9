import { type LogRow, LOG_TYPE } from '@tollgate/contract/log'
import type { LogFilter } from '@tollgate/store/logs'
import type { UserHeader } from '../handler.ts'
import { otherMembers } from './wire.ts'

/** The log as consoles of the family read it. They show types they do not know as "unknown", and compute receipts themselves. */

const KNOWN_TYPES = [
  LOG_TYPE.topUp,
  LOG_TYPE.consumption,
  LOG_TYPE.management,
  LOG_TYPE.system,
  LOG_TYPE.checkIn,
  LOG_TYPE.refund,
]

/** Without sign-ins and refused calls, unless one of them is asked for. */
export function filterFor(userHeader: UserHeader | undefined, filter: LogFilter): LogFilter {
  if (userHeader !== 'family' || filter.type !== undefined) return filter
  return { ...filter, types: KNOWN_TYPES }
}

export function rowFor(userHeader: UserHeader | undefined, row: LogRow): LogRow {
  return userHeader === 'family' ? withGroup(inClaudeArithmetic(row)) : row
}

/** Receipts of these consoles read the group beside the ratios. */
function withGroup(row: LogRow): LogRow {
  if (row.type !== LOG_TYPE.consumption || row.group === '') return row
  const other = otherMembers(row.other)
  if (Object.keys(other).length === 0) return row
  return { ...row, other: JSON.stringify({ group: row.group, ...other }) }
}

/**
 * Tokens written to a cache have a price in their receipts only where a row is marked as Claude's, and there the input is
 * what was neither read from a cache nor written to it. Rows of an import may have the mark.
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
