import { z } from 'zod'

/** `/pricing?keyword=gpt&group=vip` */
export const pricingSearch = z.object({
  keyword: z.string().catch(''),
  /** Whose prices are shown; "": the reader's own. */
  group: z.string().catch(''),
  owner: z.string().catch(''),
  endpoint: z.string().catch(''),
})
export type PricingSearch = z.output<typeof pricingSearch>
