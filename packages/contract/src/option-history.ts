import { z } from 'zod'
import { unixSecondsSchema } from './envelope.ts'
import { oneBasedPage, pageRows, pageSchema, queryTerm } from './query.ts'
import { defineRoute, siteReading, siteWriting } from './route.ts'

/** The history of site settings, and routes to revert a change. */

export const optionChangeSchema = z.object({
  id: z.int(),
  key: z.string(),
  /**
   * `null`: nothing was stored before and the default applied. For a secret: `[secret]`, or "" when it was
   * empty.
   */
  before: z.string().nullable(),
  after: z.string(),
  version: z.int(),
  changed_at: unixSecondsSchema,
  changed_by: z.int(),
  /** The current name. */
  changed_by_name: z.string(),
  /**
   * False for secrets, whose values the history does not contain, and for keys that this version does not
   * know.
   */
  can_revert: z.boolean(),
})
export type OptionChange = z.output<typeof optionChangeSchema>

export const optionHistoryRoutes = {
  list: defineRoute({
    ...siteReading,
    access: 'root',
    path: '/api/option/history',
    summary: 'Changes of one setting, or of all, newest first',
    query: z.object({ key: queryTerm(200), p: oneBasedPage, page_size: pageRows() }),
    data: pageSchema(optionChangeSchema),
  }),
  revert: defineRoute({
    ...siteWriting,
    access: 'root',
    method: 'POST',
    path: '/api/option/revert',
    guardedWhen: {
      condition: 'the setting affects access to accounts or where secrets go',
      signIn: 'recent',
    },
    summary: 'Reverts a setting to its value before a change; validated and recorded like any change',
    body: z.object({ id: z.int().positive() }),
    /** The setting after the revert. */
    data: z.object({ key: z.string(), value: z.string() }),
  }),
}
