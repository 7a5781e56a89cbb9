import { z } from 'zod'
import { unixSecondsSchema } from './envelope.ts'
import { oneBasedPage, pageRows, pageSchema, queryFilterId, queryTerm } from './query.ts'
import { queryTime } from './reports.ts'
import { defineRoute, siteReading } from './route.ts'

/**
 * The audit trail: who changed what, the values before and after, the time and the client address. Rows are
 * only added, except that a row with a counter is updated for an hour.
 */

export const auditRowSchema = z.object({
  id: z.int(),
  created_at: unixSecondsSchema,
  /** 0: nobody was signed in, as during the first setup. */
  actor_id: z.int(),
  /** The current name. */
  actor_name: z.string(),
  /** Verb: `create`, `update`, `remove`, `reveal`, `disable`, … */
  action: z.string(),
  /** Noun: `user`, `channel`, `option`, `token`, … */
  entity: z.string(),
  entity_id: z.string(),
  /** JSON text, or "". It never contains secrets. */
  before: z.string(),
  after: z.string(),
  address: z.string(),
})
export type AuditRow = z.output<typeof auditRowSchema>

/** `total` stops counting at `AUDIT_TOTAL_MAX`. */
export const AUDIT_TOTAL_MAX = 100_000

export const auditQuery = z.object({
  p: oneBasedPage,
  page_size: pageRows(),
  before_id: queryFilterId(),
  /** Part of the name of the changed object, of the user who changed it, or of the address. */
  keyword: queryTerm(),
  actor_id: queryFilterId(),
  action: queryTerm(),
  entity: queryTerm(),
  entity_id: queryTerm(),
  start_timestamp: queryTime(),
  end_timestamp: queryTime(),
})

export const auditRoutes = {
  list: defineRoute({
    ...siteReading,
    path: '/api/audit',
    summary: 'Audit log, newest first; only the super admin sees changes of site settings',
    query: auditQuery,
    data: pageSchema(auditRowSchema),
  }),
}
