/** A decimal number as text, for example `"1.25"` or `"-0"` never: plain digits with an optional fraction, no exponent. */
export type Decimal = string

/** The price of one model for one group, frozen when a call is admitted (I9). Copied onto the hold and the entry. */
export interface Price {
  /** Version of the published price book this was read from. */
  readonly version: number
  /** The model name the price was found under. */
  readonly model: string
  readonly group: string
  readonly groupRatio: Decimal
  /** Quota units per currency unit at admission. */
  readonly quotaPerUnit: Decimal
  readonly rule: PriceRule
  /** Of calls that make pictures: what each costs. */
  readonly picture?: PicturePrice
  /** Built-in tools that cost extra: currency per 1,000 calls, by the names of `Usage.toolCalls`. */
  readonly toolPrices?: Readonly<Record<string, Decimal>>
  /** What all but tools costs in another service tier, as a factor, by the names of `Usage.serviceTier`. */
  readonly tierRatios?: Readonly<Record<string, Decimal>>
  /** Of a price per token: what a call costs whose input is long, in the order of their `above`. */
  readonly contextTiers?: readonly ContextTier[]
}

/** Factors on the price of every token of a call with more than `above` input tokens, those of caches and media included. */
export interface ContextTier {
  readonly above: number
  /** On text and media going in. */
  readonly input: Decimal
  readonly output: Decimal
  /** On what is read from a cache or written to one. */
  readonly cache: Decimal
}

/** Currency for one picture, its size and quality included. */
export interface PicturePrice {
  readonly each: Decimal
  readonly size: string
  readonly quality: string
}

/**
 * `ratio`: per token; input ratio 1 = 2 currency units a million tokens, which is one unit of quota a token while
 * `quotaPerUnit` is 500,000. `call`: a fixed price in currency per call.
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
