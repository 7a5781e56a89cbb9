import { chargeNoteKinds } from '@tollgate/kit/codes'
import { z } from 'zod'
import { quotaSchema, unixSecondsSchema } from './envelope.ts'

export const chargeNoteSchema = z.object({
  kind: z.enum(chargeNoteKinds),
  channel_id: z.int(),
  /** "" for a channel that was deleted. */
  channel_name: z.string(),
  model: z.string(),
  /** A model that served, names of counts, or "". */
  detail: z.string(),
  calls: z.int(),
  /** Units that the calls were charged; for `waived`, those that were not charged. */
  quota: quotaSchema,
  first_time: unixSecondsSchema,
  last_time: unixSecondsSchema,
})
export type ChargeNoteRow = z.infer<typeof chargeNoteSchema>
