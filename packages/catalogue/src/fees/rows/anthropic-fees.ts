import { matchTools, defineFee, defineDollars } from '../define-fee.ts'
import type { FeeRow } from '../fee-row.ts'
import * as source from '../fee-sources.ts'

/** Searches are in the row of OpenAI's; fetching pages has no fee. Compaction and advisors are charged by tokens, at the price of their model. */
export const anthropicFees: readonly FeeRow[] = [
  defineFee('anthropic', 'anthropic_code_execution', {
    requests: matchTools('code_execution'),
    evidence: 'code_execution',
    // One container serves a whole answer and is charged for five minutes at least.
    most: 1,
    unit: 'five-minutes',
    price: defineDollars('4.1666666667', '$0.05 per hour, per container; minimum of 5 minutes'),
    source: source.ANTHROPIC_PRICES,
  }),
]
