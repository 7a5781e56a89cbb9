/**
 * What a member of a request can do, and so what the gateway does with it:
 * - `plain`: passes.
 * - `content`: passes. The gateway reads it, so it has one accepted spelling and may occur once.
 * - `limit`: bounds the output or another quantity, and with it the ceiling of the call.
 * - `priced`: has a fee, or a factor on the price.
 * - `names`: names a further model that may serve or help.
 * - `narrows`: can only narrow where the call is served.
 * - `routes`: chooses a model, an address, a key, a deployment or an agent that nobody priced. Taken out.
 * - `reaches`: makes the upstream read or run more than the request contains.
 * - `identifies`: an id of the caller's.
 */
export type MemberEffect =
  | 'plain'
  | 'content'
  | 'limit'
  | 'priced'
  | 'names'
  | 'narrows'
  | 'routes'
  | 'reaches'
  | 'identifies'

/** Kinds of upstream that understand the members of a request alike. */
export type ProviderFamily =
  | 'azure'
  | 'openai'
  | 'openai-compatible'
  | 'anthropic'
  | 'anthropic-compatible'
  | 'gemini'
  | 'openrouter'
  | 'perplexity'

/** The document that says what a member does. */
export interface MemberSource {
  readonly url: string
  /** The day on which it was read: `2026-11-29`. */
  readonly date: string
}

/** One member of one type of object in requests. */
export interface MemberRow {
  /** The accepted spelling. `a|b`: both are official, but only one may be used at a time. */
  readonly name: string
  readonly effect: MemberEffect
  readonly source: MemberSource
  /** Name of the object type of its value. Without one, nothing inside is judged. */
  readonly inside?: string
  /** The families for which the row holds; for all of them if absent. */
  readonly only?: readonly ProviderFamily[]
  /** For `names`: the families whose vendor reports which model served. */
  readonly reportedBy?: readonly ProviderFamily[]
  /** For `names` and `routes`: the call means nothing without the member, so it is refused instead. */
  readonly isRefused?: true
}
