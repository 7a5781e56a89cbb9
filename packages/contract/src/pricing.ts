import { z } from 'zod'
import { defineRoute, nothing, publicReading, siteWriting } from './route.ts'

/** The public price list: what the viewer can call, and its price in each group they may use. */

export const pricingRowSchema = z.object({
  model_name: z.string(),
  /** 0: by usage; 1: by call. */
  quota_type: z.int(),
  model_ratio: z.number(),
  /** Currency per call; 0 when priced by usage. */
  model_price: z.number(),
  owner_by: z.string(),
  /** Tollgate only: display name of the provider; "" when no provider lists the model. */
  owner_name: z.string(),
  completion_ratio: z.number(),
  cache_ratio: z.number(),
  cache_creation_ratio: z.number(),
  /** Ratio for writing to a cache that is kept for an hour instead of five minutes. */
  cache_creation_1h_ratio: z.number(),
  image_ratio: z.number(),
  audio_ratio: z.number(),
  audio_completion_ratio: z.number(),
  /** Prices of built-in tools: currency per 1,000 calls. */
  tool_prices: z.record(z.string(), z.number()),
  /** Factors of other service tiers on all prices except those of tools. */
  tier_ratios: z.record(z.string(), z.number()),
  /**
   * Factors on the price of every token of a call with more than `above` input tokens, in ascending order.
   * `cache` applies to cache reads and writes.
   */
  context_tiers: z.array(
    z.object({ above: z.int(), input: z.number(), output: z.number(), cache: z.number() }),
  ),
  /**
   * For videos: the price per second or per million tokens, depending on the quality. `quality` is for
   * example `1080p+audio`; the other members are as above.
   */
  quality_prices: z.array(
    z.object({ quality: z.string(), quota_type: z.int(), model_price: z.number(), model_ratio: z.number() }),
  ),
  /** Only groups that the viewer may use. */
  enable_groups: z.array(z.string()),
  /** Parameters that the model supports, as listed in `docs/reference/models.md`; empty if unknown. */
  traits: z.record(z.string(), z.unknown()),
  /** Facts documented by the vendor; an unknown one is absent. */
  facts: z.object({
    context_tokens: z.int().optional(),
    output_tokens_max: z.int().optional(),
    /** `text`, `image`, `audio`, `video`, `file`, `embedding`. */
    input: z.array(z.string()).optional(),
    output: z.array(z.string()).optional(),
    /** The day on which the vendor shuts the model down or has done so: `2026-12-11`. */
    shutdown_date: z.string().optional(),
  }),
  /** Operations that a channel with this model can perform. */
  supported_endpoint_types: z.array(z.string()),
})
export type PricingRow = z.infer<typeof pricingRowSchema>

export const pricingRoutes = {
  list: defineRoute({
    ...publicReading,
    path: '/api/pricing',
    summary: 'Prices of the models that the viewer can call',
    data: z.array(pricingRowSchema),
    extra: z.object({
      group_ratio: z.record(z.string(), z.number()),
      usable_group: z.record(z.string(), z.string()),
      /** Version of the price book that these prices come from. */
      price_version: z.int(),
    }),
  }),
  resetModelRatio: defineRoute({
    ...siteWriting,
    body: nothing,
    method: 'POST',
    access: 'root',
    path: '/api/option/rest_model_ratio',
    summary: 'Resets the model ratios to the built-in prices',
    data: z.null(),
  }),
} as const
