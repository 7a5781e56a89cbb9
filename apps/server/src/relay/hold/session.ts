import { chargeUnits } from '@tollgate/billing/charge'
import type { HoldAmounts, HoldMode } from '@tollgate/billing/hold'
import { modelLimits } from '@tollgate/billing/model-limits'
import type { Price } from '@tollgate/billing/price'
import { noUsage } from '@tollgate/dialects/usage'

/** Tokens of a usual turn: half a minute heard, half a minute spoken. */
const USUAL = { inputText: 500, inputAudio: 800, outputText: 100, outputAudio: 400, turns: 1 }
/** No session has more turns than this: it ends when their price is reached. */
const TURNS_MAX = 1_000n

/** What is set aside for the turn that comes next: the largest one in strict mode, else a usual one. */
export function turnUnits(price: Price, mode: HoldMode): bigint {
  return mode === 'strict' ? largestTurn(price) : chargeUnits(price, { ...noUsage, ...USUAL })
}

/**
 * A session holds one turn when it begins, and more as it goes. Its ceiling goes with the hold, so that it never exposes
 * more than one turn that is larger than a usual one.
 */
export function sessionAmounts(price: Price, mode: HoldMode): HoldAmounts {
  const hold = turnUnits(price, mode)
  return { hold, estimate: hold, ceiling: mode === 'strict' ? hold : hold + largestTurn(price) }
}

/** What a session may cost altogether. */
export function sessionUnitsMax(price: Price): bigint {
  return largestTurn(price) * TURNS_MAX
}

function largestTurn(price: Price): bigint {
  const { contextTokens, outputTokensMax } = modelLimits(price.model)
  return chargeUnits(price, {
    ...noUsage,
    ...USUAL,
    inputAudio: Math.max(contextTokens, USUAL.inputAudio),
    outputAudio: Math.max(outputTokensMax, USUAL.outputAudio),
  })
}
