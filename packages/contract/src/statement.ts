import { z } from 'zod'
import { quotaSchema, unixSecondsSchema } from './envelope.ts'
import { ledgerEntryKinds } from './ledger-entry.ts'
import { queryInteger } from './query.ts'
import { defineRoute, ownReading } from './route.ts'

/**
 * A monthly statement of the caller's balance, in the site's time zone: opening balance, credits, spending and closing
 * balance.
 */

export const STATEMENT_PART_ROWS = 1000
/**
 * At most this many credits are listed individually; if there are more, the newest ones. Nobody redeems more
 * codes in a month.
 */
export const STATEMENT_CREDITS_MAX = 500

const monthText = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/)

export const statementSchema = z.object({
  month: monthText,
  /** The first and, in `until`, the last second of the month. */
  from: unixSecondsSchema,
  until: unixSecondsSchema,
  opening: quotaSchema,
  closing: quotaSchema,
  /** Charges minus refunds; positive. */
  spent: quotaSchema,
  received: quotaSchema,
  /** Credits and adjustments, oldest first. Refunds count towards `spent`. */
  credits: z.array(
    z.object({
      id: z.int(),
      created_at: unixSecondsSchema,
      kind: z.enum(ledgerEntryKinds),
      key: z.string(),
      note: z.string(),
      change: quotaSchema,
    }),
  ),
  days: z.array(z.object({ day: z.string(), calls: z.int(), spent: quotaSchema })),
})
export type Statement = z.output<typeof statementSchema>

export const statementRoutes = {
  read: defineRoute({
    ...ownReading,
    path: '/api/user/statement',
    summary: 'The caller’s monthly statement: opening balance, credits, calls by day, closing balance',
    query: z.object({ month: monthText }),
    data: statementSchema,
  }),
  csv: defineRoute({
    ...ownReading,
    path: '/api/user/statement/csv',
    summary: 'Exports every entry of a month as CSV, oldest first',
    query: z.object({
      month: monthText,
      after_id: queryInteger({ fallback: 0, min: 0, max: Number.MAX_SAFE_INTEGER }),
    }),
    data: z.object({
      file_name: z.string(),
      csv: z.string(),
      rows: z.int(),
      /** 0: there are no more rows. */
      next_after_id: z.int(),
    }),
  }),
} as const
