import { z } from 'zod'

/** Result of changing several rows at once. Rows that could not be changed are listed with the reason. */
export const batchOutcomeSchema = z.object({
  changed: z.int(),
  refused: z.array(
    z.object({
      id: z.int(),
      /** "" when the row does not exist. */
      name: z.string(),
      /** In the caller's language. */
      reason: z.string(),
    }),
  ),
})
export type BatchOutcome = z.output<typeof batchOutcomeSchema>
