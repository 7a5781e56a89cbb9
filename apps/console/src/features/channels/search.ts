import { channelSorts } from '@tollgate/contract/channel'
import * as z from 'zod/mini'
import { choiceField, numberField, textField } from '../../shared/routing/search-fields.ts'
import { pageParameter } from '../../shared/table/paging.ts'

/** `?keyword=azure&group=vip&model=gpt-4o&status=1&test_outcome=failed&type=14&sort=balance&descending=true&p=2` */
export const channelSearchSchema = z.object({
  keyword: textField(),
  group: textField(),
  model: textField(),
  /** 1 enabled, 2 disabled, 3 disabled automatically; 0 means every status. */
  status: numberField({ max: 3 }),
  /** Result of the last test. */
  test_outcome: choiceField(['', 'ok', 'failed'], ''),
  /** Type number of a provider; 0 means every provider. */
  type: numberField(),
  /** "" sorts by priority or by id. */
  sort: choiceField(['', ...channelSorts], ''),
  descending: z.catch(
    z.pipe(
      z.coerce.string(),
      z.transform((text) => text === 'true'),
    ),
    false,
  ),
  p: pageParameter,
})
export type ChannelSearch = z.output<typeof channelSearchSchema>
