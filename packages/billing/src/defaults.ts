import defaultPricing from './default-pricing.json' with { type: 'json' }
import type { PriceOptionKey } from './price-options.ts'

/** Every pricing option of a new site, as the text that is stored. */
export const defaultPriceOptions: Readonly<Record<PriceOptionKey, string>> = {
  ModelRatio: JSON.stringify(defaultPricing.ModelRatio),
  ModelPrice: JSON.stringify(defaultPricing.ModelPrice),
  CompletionRatio: JSON.stringify(defaultPricing.CompletionRatio),
  CacheRatio: JSON.stringify(defaultPricing.CacheRatio),
  CreateCacheRatio: JSON.stringify(defaultPricing.CreateCacheRatio),
  ImageRatio: JSON.stringify(defaultPricing.ImageRatio),
  AudioRatio: JSON.stringify(defaultPricing.AudioRatio),
  AudioCompletionRatio: JSON.stringify(defaultPricing.AudioCompletionRatio),
  ToolPrices: JSON.stringify(defaultPricing.ToolPrices),
  GroupRatio: JSON.stringify({ default: 1, vip: 1, svip: 1 }),
  UserUsableGroups: JSON.stringify({ default: '默认分组', vip: 'vip分组' }),
  GroupGroupRatio: '{}',
  QuotaPerUnit: '500000',
  SelfUseModeEnabled: 'false',
}
