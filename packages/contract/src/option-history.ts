import { z } from 'zod'
import { unixSecondsSchema } from './envelope.ts'
import { oneBasedPage, pageRows, queryTerm } from './query.ts'
import { ANONYMOUS_BODY_BYTES_MAX, CONSOLE_BODY_BYTES_MAX, defineRoute, nothing } from './route.ts'

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

const site = {
  access: 'root',
  owner: 'site',
  rate: 'api',
  isBillable: false,
  signIn: 'any',
  params: nothing,
} as const

export const optionHistoryRoutes = {
  list: defineRoute({
    ...site,
    method: 'GET',
    path: '/api/option/history',
    changesState: false,
    bodyBytesMax: ANONYMOUS_BODY_BYTES_MAX,
    summary: 'Changes of one setting, or of all, newest first',
    query: z.object({ key: queryTerm(200), p: oneBasedPage, page_size: pageRows() }),
    body: nothing,
    data: z.object({
      items: z.array(optionChangeSchema),
      total: z.int(),
      page: z.int(),
      page_size: z.int(),
    }),
  }),
  revert: defineRoute({
    ...site,
    method: 'POST',
    path: '/api/option/revert',
    changesState: true,
    guardedWhen: {
      condition: 'the setting affects access to accounts or where secrets go',
      signIn: 'recent',
    },
    bodyBytesMax: CONSOLE_BODY_BYTES_MAX,
    summary: 'Reverts a setting to its value before a change; validated and recorded like any change',
    query: nothing,
    body: z.object({ id: z.int().positive() }),
    /** The setting after the revert. */
    data: z.object({ key: z.string(), value: z.string() }),
  }),
}
