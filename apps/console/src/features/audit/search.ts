import * as z from 'zod/mini'
import { numberField, textField } from '../../shared/routing/search-fields.ts'
import { pageParameter } from '../../shared/table/paging.ts'

/**
 * `?keyword=lin&entity=user&action=disable&start_timestamp=…&end_timestamp=…&p=2`; times are Unix seconds, 0
 * means open-ended.
 */
export const auditSearchSchema = z.object({
  keyword: textField(),
  entity: textField(),
  entity_id: textField(),
  action: textField(),
  start_timestamp: numberField(),
  end_timestamp: numberField(),
  p: pageParameter,
})
export type AuditSearch = z.output<typeof auditSearchSchema>
