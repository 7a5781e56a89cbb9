import type { MemberSource } from '../members/member-row.ts'

/** Where a vendor tells in its usage what a call cost. Only what has a row is read. */
export interface ToldCostRow {
  /** Id of the provider. */
  readonly provider: string
  readonly currency: 'USD'
  /** Path below the usage object. */
  readonly path: string
  /** A further amount, which counts where the member `if` is true. */
  readonly further?: { readonly if: string; readonly path: string }
  readonly source: MemberSource
}

export const toldCosts: readonly ToldCostRow[] = [
  {
    provider: 'openrouter',
    // One credit is one dollar. With a key of the operator's own, the vendor behind it takes its price as well.
    currency: 'USD',
    path: 'cost',
    further: { if: 'is_byok', path: 'cost_details.upstream_inference_cost' },
    source: { url: 'https://openrouter.ai/docs/use-cases/usage-accounting', date: '2026-11-30' },
  },
  {
    provider: 'perplexity',
    currency: 'USD',
    path: 'cost.total_cost',
    source: {
      url: 'https://docs.perplexity.ai/api-reference/chat-completions-post',
      date: '2026-11-29',
    },
  },
]
