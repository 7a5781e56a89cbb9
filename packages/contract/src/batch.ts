import { z } from 'zod'

/** What came of a change of several rows at once: those that could not be changed are named, with the reason. */
export const batchOutcomeSchema = z.object({
  changed: z.int(),
  refused: z.array(
    z.object({
      id: z.int(),
      /** "" when there is no such row. */
      name: z.string(),
      /** In the caller's language. */
      reason: z.string(),
    }),
  ),
})
export type BatchOutcome = z.output<typeof batchOutcomeSchema>
