import * as z from 'zod/mini'
import { textField } from '../../../shared/routing/search-fields.ts'

/** `/pricing?keyword=gpt&group=vip` */
export const pricingSearch = z.object({
  keyword: textField(),
  /** The group whose prices are shown; "" means the reader's own. */
  group: textField(),
  owner: textField(),
  endpoint: textField(),
})
export type PricingSearch = z.output<typeof pricingSearch>
