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

/** The price that was frozen at admission; `undefined` when the row has none, or not a whole one. */
export const frozenPriceSchema = z
  .object({
    version: z.int().optional().catch(undefined),
    groupRatio: decimal,
    quotaPerUnit: decimal,
    rule: ruleSchema,
    toolPrices: z.record(z.string(), decimal).optional(),
  })
  .transform(({ version, groupRatio, quotaPerUnit, rule, toolPrices }): FrozenPrice => ({
    version,
    groupRatio,
    quotaPerUnit,
    rule,
    toolPrices: new Map(Object.entries(toolPrices ?? {})),
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
    toolCalls: z.record(z.string(), looseCount).optional().catch(undefined),
  })
  .transform(
    ({ toolCalls, reasoning, ...tokens }): BucketCounts & { readonly reasoning: number | undefined } => ({
      tokens,
      reasoning,
      toolCalls: new Map(Object.entries(toolCalls ?? {})),
    }),
  )
  .optional()
  .catch(undefined)
