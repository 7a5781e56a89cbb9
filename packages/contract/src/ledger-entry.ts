import { z } from 'zod'
import { quotaSchema, unixSecondsSchema } from './envelope.ts'
import { oneBasedPage, pageRows, pageSchema, queryFilterId } from './query.ts'

/** The history of a balance: rows are added and never changed. */

export const ledgerEntryKinds = ['credit', 'adjust', 'consume', 'correction', 'refund'] as const
/** `user`: the balance that pays for calls. `affiliate`: earnings from invitations. */
export const ledgerAccounts = ['user', 'affiliate'] as const

export const ledgerEntrySchema = z.object({
  id: z.int(),
  created_at: unixSecondsSchema,
  kind: z.enum(ledgerEntryKinds),
  /** Idempotency key of the operation, for example `checkin:7:2026-11-21`; globally unique. */
  key: z.string(),
  /** Effect on the balance: negative for a charge. */
  change: quotaSchema,
  /** The balance right after this entry, computed from the current balance and all later entries. */
  balance_after: quotaSchema,
  /** "" when the entry does not belong to a call. */
  request_id: z.string(),
  /** 0 when there is no token. `channel_id` is also 0 for readers who may not see channels. */
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
export const ledgerEntryPageSchema = pageSchema(ledgerEntrySchema)
