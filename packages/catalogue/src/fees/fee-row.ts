import type { MemberSource } from '../members/member-row.ts'

/** What a vendor counts for a fee. */
export type FeeUnit =
  | 'call'
  | 'query'
  | 'prompt'
  | 'request'
  | 'source'
  | 'result'
  | 'container'
  | 'five-minutes'

/** Vendors whose fees are known. A provider is served by one or several of them; see `fee-vendors.ts`. */
export type FeeVendor =
  | 'openai'
  | 'anthropic'
  | 'google'
  | 'xai'
  | 'openrouter'
  | 'perplexity'
  | 'qwen'
  | 'zhipu'
  | 'moonshot'
  | 'baidu'
  | 'volcano'
  | 'hunyuan'

/**
 * How a request asks for something that has a fee:
 * - `tool`: a tool of this type, also with a date or version behind it: `web_search_20250305`.
 * - `hosted-tool`: the same, unless its environment is the caller's own.
 * - `tool-member`: a member of a tool, as in Gemini requests.
 * - `function`: a function of the vendor's, such as `$web_search`.
 * - `member`: a member of the body that is neither empty nor switched off.
 * - `plugin`: an entry of `plugins`.
 * - `suffix`: the end of the model's name as the vendor gets it.
 * - `every`: every request; what is asked for is the answer itself.
 */
export interface FeeRequest {
  readonly type:
    | 'tool'
    | 'hosted-tool'
    | 'tool-member'
    | 'function'
    | 'member'
    | 'plugin'
    | 'suffix'
    | 'every'
  readonly name: string
  /** The vendor charges it for every such request that it answers, and need not report it. */
  readonly isCertain?: true
}

/** A figure as the vendor's document prints it. */
export interface ListPrice {
  /** Currency units for 1,000 of the unit. */
  readonly perThousand: string
  /** Prices of models whose names begin like this, where they differ. */
  readonly byModel?: Readonly<Record<string, string>>
  readonly currency: 'USD'
  /** The figure as printed. */
  readonly printed: string
}

/** A fee that a vendor takes beside tokens. */
export interface FeeRow {
  /** Unique; the name of the count in `Usage.toolCalls` and of the operator's price. */
  readonly name: string
  /** The vendors that take it, at the same price. */
  readonly vendors: readonly FeeVendor[]
  readonly requests: readonly FeeRequest[]
  /** Members of the usage that report the count, such as `plugins.search.count`. Of several the largest holds. */
  readonly reportedAt: readonly string[]
  /** What the dialects count in the answer itself. It holds where the vendor reports no count. */
  readonly evidence?: string
  /** The evidence belongs to another fee unless the request asks for this one. */
  readonly isOnlyIfRequested?: true
  /** Each use costs as many units as this member of what was requested says, or as it usually does. */
  readonly perUse?: { readonly member: string; readonly usual: number }
  /** The member of what was requested that bounds the units of a call. */
  readonly mostAt?: string
  /** Each use costs as many units as the requested memory of the container. */
  readonly isByMemory?: true
  /** Only requests with this search context size. The vendor's default is `low`. */
  readonly contextSize?: 'low' | 'medium' | 'high'
  /** Models whose names, as the vendor gets them, begin like this; all if absent. */
  readonly models?: readonly string[]
  readonly exceptModels?: readonly string[]
  readonly unit: FeeUnit
  /** `unknown`: no document with the figure was read. */
  readonly price: ListPrice | 'unknown'
  /** The most uses in one call, where nobody limits them. */
  readonly most: number
  /** The number of uses that a call with it is expected to have. */
  readonly expected: number
  /** Whether the vendor charges uses that failed. */
  readonly isFailedCharged: boolean
  /** The name under which an operator may price all fees of this kind. */
  readonly commonName?: string
  /** The name under which the version before counted it, where it did. */
  readonly formerName?: string
  readonly source: MemberSource
}
