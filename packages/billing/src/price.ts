/**
 * A decimal number as text: plain digits with an optional fraction, no exponent, never `"-0"`. Example:
 * `"1.25"`.
 */
export type Decimal = string

/**
 * The price of one model for one group, frozen when a call is admitted and copied onto its hold and its
 * entry, so that the charge can be recomputed later.
 */
export interface Price {
  /** Version of the published price book that it was read from. */
  readonly version: number
  /** The model name under which the price was found. */
  readonly model: string
  readonly group: string
  readonly groupRatio: Decimal
  /** Quota units per currency unit at the time of admission. */
  readonly quotaPerUnit: Decimal
  readonly rule: PriceRule
  /** Price per image, for image generation calls. */
  readonly picture?: PicturePrice
  /** Prices of built-in tools: currency units per 1,000 calls, by the names of `Usage.toolCalls`. */
  readonly toolPrices?: Readonly<Record<string, Decimal>>
  /** The call costs at least this many times what its vendor told. */
  readonly vendorCostRatio?: Decimal
  /** Fees that are counted and not charged; their price above is 0. */
  readonly countedFees?: readonly string[]
  /** Factor of each service tier on everything except tools, by the names of `Usage.serviceTier`. */
  readonly tierRatios?: Readonly<Record<string, Decimal>>
  /** Context tiers of a price per token, in ascending order of `above`. */
  readonly contextTiers?: readonly ContextTier[]
}

/**
 * Factors on the price of every token of a call with more than `above` input tokens, counting cached and
 * media tokens too.
 */
export interface ContextTier {
  readonly above: number
  /** Factor on text and media input. */
  readonly input: Decimal
  readonly output: Decimal
  /** Factor on cache reads and cache writes. */
  readonly cache: Decimal
}

/** Currency units for one image of this size and quality. */
export interface PicturePrice {
  readonly each: Decimal
  readonly size: string
  readonly quality: string
}

/**
 * `ratio`: a price per token. Input ratio 1 means 2 currency units per million tokens, which is one quota
 * unit per token while `quotaPerUnit` is 500,000. `call`: a fixed price per call in currency units.
 */
export type PriceRule =
  | {
      readonly type: 'ratio'
      readonly modelRatio: Decimal
      readonly completionRatio: Decimal
      readonly cacheRatio: Decimal
      readonly cacheWriteRatio: Decimal
      readonly cacheWrite1hRatio: Decimal
      readonly imageRatio: Decimal
      readonly audioRatio: Decimal
      readonly audioCompletionRatio: Decimal
    }
  | { readonly type: 'call'; readonly price: Decimal }
