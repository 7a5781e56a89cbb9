import { z } from 'zod'
import { pageParameter } from '../../shared/table/paging.ts'

/** `?keyword=lin&entity=user&action=disable&start_timestamp=…&end_timestamp=…&p=2`; seconds, 0 = open. */
export const auditSearchSchema = z.object({
  keyword: z.string().catch(''),
  entity: z.string().catch(''),
  entity_id: z.string().catch(''),
  action: z.string().catch(''),
  start_timestamp: z.coerce.number().int().min(0).catch(0),
  end_timestamp: z.coerce.number().int().min(0).catch(0),
  p: pageParameter,
})
export type AuditSearch = z.output<typeof auditSearchSchema>
