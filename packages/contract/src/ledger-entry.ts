import { z } from 'zod'
import { quotaSchema, unixSecondsSchema } from './envelope.ts'
import { oneBasedPage, pageRows, queryFilterId } from './query.ts'

/** The history of a balance: rows that are added and never changed. */

export const ledgerEntryKinds = ['credit', 'adjust', 'consume', 'correction', 'refund'] as const
/** `user`: the balance calls are paid from. `affiliate`: what inviting people has earned. */
export const ledgerAccounts = ['user', 'affiliate'] as const

export const ledgerEntrySchema = z.object({
  id: z.int(),
  created_at: unixSecondsSchema,
  kind: z.enum(ledgerEntryKinds),
  /** Names the operation, for example `checkin:7:2026-11-21`; unique for ever. */
  key: z.string(),
  /** What it did to the balance: negative for a charge. */
  change: quotaSchema,
  /** The balance right after it, as the later entries and the present one tell. */
  balance_after: quotaSchema,
  /** "" when no call is behind it. */
  request_id: z.string(),
  /** 0 when no token, or no channel the reader may know of, is behind it. */
  token_id: z.int(),
  channel_id: z.int(),
  /** For example `estimated`, `client_gone`. */
  flags: z.array(z.string()),
  waived: quotaSchema,
  note: z.string(),
})
export type LedgerEntry = z.output<typeof ledgerEntrySchema>

export const ledgerEntryQuery = z.object({
  p: oneBasedPage,
  page_size: pageRows(),
  /** Only entries older than this one; cheaper than a high page number. */
  before_id: queryFilterId(),
  account: z.enum(ledgerAccounts).catch('user').default('user'),
  kind: z.enum(ledgerEntryKinds).optional().catch(undefined),
})

/** `total` stops counting at `ENTRY_TOTAL_MAX`. */
export const ENTRY_TOTAL_MAX = 100_000
export const ledgerEntryPageSchema = z.object({
  items: z.array(ledgerEntrySchema),
  total: z.int(),
  page: z.int(),
  page_size: z.int(),
})
