import { z } from 'zod'
import { type Exact, exactOf, one } from '../receipt/exact.ts'
import type { BucketCounts, FrozenPrice } from '../receipt/frozen-receipt.ts'
import { looseCount } from './fields.ts'

/** A decimal that must be there: without it the price is not known, and no receipt is made up. */
const decimal = z.unknown().transform((value, context): Exact => {
  const exact = exactOf(value)
  if (exact && exact.digits >= 0n) return exact
  context.addIssue({ code: 'custom', message: 'not a price' })
  return z.NEVER
})

/** A ratio that older rows did not have yet; 1 changes nothing. */
const ratio = z
  .unknown()
  .optional()
  .transform((value) => exactOf(value) ?? one)

const ruleSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('ratio'),
    modelRatio: decimal,
    completionRatio: decimal,
    cacheRatio: ratio,
    cacheWriteRatio: ratio,
    cacheWrite1hRatio: ratio,
    imageRatio: ratio,
    audioRatio: ratio,
    audioCompletionRatio: ratio,
  }),
  z.object({ type: z.literal('call'), price: decimal }),
])

const contextTierSchema = z.object({
  above: z.int().positive(),
  input: decimal,
  output: decimal,
  cache: decimal,
})

/** The price that was frozen at admission; `undefined` when the row has none, or not a whole one. */
export const frozenPriceSchema = z
  .object({
    version: z.int().optional().catch(undefined),
    groupRatio: decimal,
    quotaPerUnit: decimal,
    rule: ruleSchema,
    picture: z.object({ each: decimal }).optional(),
    toolPrices: z.record(z.string(), decimal).optional(),
    tierRatios: z.record(z.string(), decimal).optional(),
    contextTiers: z.array(contextTierSchema).optional(),
  })
  .transform(({ version, picture, toolPrices, tierRatios, contextTiers, ...price }): FrozenPrice => ({
    version,
    ...price,
    ...(contextTiers && { contextTiers }),
    ...(picture && { picture: picture.each }),
    toolPrices: new Map(Object.entries(toolPrices ?? {})),
    ...(tierRatios && { tierRatios: new Map(Object.entries(tierRatios)) }),
  }))
  .optional()
  .catch(undefined)

/** Usage in buckets, as this gateway counts it. */
export const usageSchema = z
  .object({
    inputText: looseCount,
    cacheRead: looseCount,
    cacheWrite5m: looseCount,
    cacheWrite1h: looseCount,
    inputImage: looseCount,
    inputAudio: looseCount,
    outputText: looseCount,
    outputAudio: looseCount,
    outputImage: looseCount,
    reasoning: z.int().nonnegative().optional().catch(undefined),
    images: z.int().nonnegative().optional().catch(undefined),
    turns: z.int().nonnegative().optional().catch(undefined),
    toolCalls: z.record(z.string(), looseCount).optional().catch(undefined),
    serviceTier: z.string().optional().catch(undefined),
  })
  .transform(
    ({
      toolCalls,
      reasoning,
      images,
      turns,
      serviceTier,
      ...tokens
    }): BucketCounts & { readonly reasoning: number | undefined } => ({
      tokens,
      reasoning,
      images,
      turns,
      serviceTier,
      toolCalls: new Map(Object.entries(toolCalls ?? {})),
    }),
  )
  .optional()
  .catch(undefined)
