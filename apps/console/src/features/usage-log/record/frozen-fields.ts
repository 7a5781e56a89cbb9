import { eachBucket } from '@tollgate/billing/buckets'
import type { Decimal } from '@tollgate/billing/price'
import * as z from 'zod/mini'
import { exactOf, pricePart } from '../receipt/exact.ts'
import type { FrozenPrice } from '../receipt/frozen-receipt.ts'
import { count, loose, looseCount } from './fields.ts'

/** A required decimal. Without it the price is unknown, and no receipt is computed. */
const decimal = z.pipe(
  z.unknown(),
  z.transform((value, context): Decimal => {
    const price = pricePart(exactOf(value))
    if (price !== undefined) return price
    context.issues.push({ code: 'custom', message: 'not a price', input: value })
    return z.NEVER
  }),
)

/** A ratio that is missing in older rows; the default of 1 changes nothing. */
const ratio = z.pipe(
  z.optional(z.unknown()),
  z.transform((value) => pricePart(exactOf(value)) ?? '1'),
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
    z.transform(({ picture, ...price }): FrozenPrice => ({
      ...price,
      picture: picture && { ...picture, size: '', quality: '' },
    })),
  ),
)

const usageObject = z.object({
  ...eachBucket(() => looseCount),
  reasoning: loose(count),
  images: loose(count),
  turns: loose(count),
  seconds: loose(count),
  toolCalls: loose(z.record(z.string(), looseCount)),
  serviceTier: loose(z.string()),
})

/** Usage in buckets, as this gateway counts it. */
export const usageSchema = loose(usageObject)

/**
 * Steps that were charged beside the call's own usage. Without one of them the sum is wrong, so that a list
 * that cannot be read whole is left out, and the receipt does not add up.
 */
export const partsSchema = loose(
  z.array(
    z.object({ kind: z.string(), model: loose(z.string()), price: frozenPriceSchema, usage: usageObject }),
  ),
)
