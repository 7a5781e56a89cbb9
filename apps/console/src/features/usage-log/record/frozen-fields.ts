import * as z from 'zod/mini'
import { type Exact, exactOf, one } from '../receipt/exact.ts'
import type { BucketCounts, FrozenPrice } from '../receipt/frozen-receipt.ts'
import { count, loose, looseCount } from './fields.ts'

/** A required decimal. Without it the price is unknown, and no receipt is computed. */
const decimal = z.pipe(
  z.unknown(),
  z.transform((value, context): Exact => {
    const exact = exactOf(value)
    if (exact && exact.digits >= 0n) return exact
    context.issues.push({ code: 'custom', message: 'not a price', input: value })
    return z.NEVER
  }),
)

/** A ratio that is missing in older rows; the default of 1 changes nothing. */
const ratio = z.pipe(
  z.optional(z.unknown()),
  z.transform((value) => exactOf(value) ?? one),
)

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
  above: z.int().check(z.positive()),
  input: decimal,
  output: decimal,
  cache: decimal,
})

/** The price that was frozen at admission; `undefined` if it is missing or incomplete. */
export const frozenPriceSchema = loose(
  z.pipe(
    z.object({
      version: loose(z.int()),
      groupRatio: decimal,
      quotaPerUnit: decimal,
      rule: ruleSchema,
      picture: z.optional(z.object({ each: decimal })),
      toolPrices: z.optional(z.record(z.string(), decimal)),
      tierRatios: z.optional(z.record(z.string(), decimal)),
      contextTiers: z.optional(z.array(contextTierSchema)),
    }),
    z.transform(({ version, picture, toolPrices, tierRatios, contextTiers, ...price }): FrozenPrice => ({
      version,
      ...price,
      contextTiers,
      picture: picture?.each,
      toolPrices: new Map(Object.entries(toolPrices ?? {})),
      tierRatios: tierRatios ? new Map(Object.entries(tierRatios)) : undefined,
    })),
  ),
)

/** Usage in buckets, as this gateway counts it. */
export const usageSchema = loose(
  z.pipe(
    z.object({
      inputText: looseCount,
      cacheRead: looseCount,
      cacheWrite5m: looseCount,
      cacheWrite1h: looseCount,
      inputImage: looseCount,
      inputAudio: looseCount,
      outputText: looseCount,
      outputAudio: looseCount,
      outputImage: looseCount,
      reasoning: loose(count),
      images: loose(count),
      turns: loose(count),
      seconds: loose(count),
      toolCalls: loose(z.record(z.string(), looseCount)),
      serviceTier: loose(z.string()),
    }),
    z.transform(
      ({
        toolCalls,
        reasoning,
        images,
        turns,
        seconds,
        serviceTier,
        ...tokens
      }): BucketCounts & { readonly reasoning: number | undefined } => ({
        tokens,
        reasoning,
        images,
        turns,
        seconds,
        serviceTier,
        toolCalls: new Map(Object.entries(toolCalls ?? {})),
      }),
    ),
  ),
)
