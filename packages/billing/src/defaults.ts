import defaultPricing from './default-pricing.json' with { type: 'json' }
import type { PriceOptionKey } from './price-options.ts'

/**
 * Surcharges and discounts of OpenAI's service tiers, and Anthropic's surcharge for inference bound to the
 * United States. https://platform.openai.com/docs/pricing
 * https://platform.claude.com/docs/en/manage-claude/data-residency
 */
const serviceTierRatios = {
  'priority:gpt-4o*': 1.7,
  'priority:gpt-4o-mini*': 1.6667,
  'priority:gpt-4.1*': 1.75,
  'priority:gpt-4.1-nano*': 2,
  'priority:gpt-5*': 2,
  'priority:gpt-5-mini*': 1.8,
  'priority:o3*': 1.75,
  'priority:o4-mini*': 1.8182,
  'flex:gpt-5*': 0.5,
  'flex:o3*': 0.5,
  'flex:o4-mini*': 0.5,
  'geo-us:claude*': 1.1,
}

/** Every pricing option of a new site, as stored text. */
export const defaultPriceOptions: Readonly<Record<PriceOptionKey, string>> = {
  ModelRatio: JSON.stringify(defaultPricing.ModelRatio),
  ModelPrice: JSON.stringify(defaultPricing.ModelPrice),
  CompletionRatio: JSON.stringify(defaultPricing.CompletionRatio),
  CacheRatio: JSON.stringify(defaultPricing.CacheRatio),
  CreateCacheRatio: JSON.stringify(defaultPricing.CreateCacheRatio),
  CreateCache1hRatio: '{}',
  ImageRatio: JSON.stringify(defaultPricing.ImageRatio),
  AudioRatio: JSON.stringify(defaultPricing.AudioRatio),
  AudioCompletionRatio: JSON.stringify(defaultPricing.AudioCompletionRatio),
  ToolPrices: JSON.stringify(defaultPricing.ToolPrices),
  ServiceTierRatio: JSON.stringify(serviceTierRatios),
  // Empty, so that a site that migrates from another gateway charges as before until its operator adds tiers.
  ContextTierRatio: '{}',
  VendorCostRatio: '{}',
  GroupRatio: JSON.stringify({ default: 1, vip: 1, svip: 1 }),
  UserUsableGroups: JSON.stringify({ default: '默认分组', vip: 'vip分组' }),
  GroupGroupRatio: '{}',
  QuotaPerUnit: '500000',
  SelfUseModeEnabled: 'false',
  // Sites that exist get `false` from a migration, so that an upgrade charges nothing new.
  ListedFeesCharged: 'true',
}
