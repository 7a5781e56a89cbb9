import { chargeUnits } from '@tollgate/billing/charge'
import type { HoldAmounts, HoldMode } from '@tollgate/billing/hold'
import { modelLimits } from '@tollgate/billing/model-limits'
import type { Price } from '@tollgate/billing/price'
import { noUsage } from '@tollgate/dialects/usage'

/**
 * Tokens of a typical turn in a realtime session: half a minute of input audio and half a minute of output
 * audio.
 */
const USUAL = { inputText: 500, inputAudio: 800, outputText: 100, outputAudio: 400, turns: 1 }
/** No session has more turns than this; it is ended when their price is reached. */
const TURNS_MAX = 1_000n

/** The hold for the next turn of a session: the largest possible one in strict mode, else a typical one. */
export function turnUnits(price: Price, mode: HoldMode): bigint {
  return mode === 'strict' ? largestTurn(price) : chargeUnits(price, { ...noUsage, ...USUAL })
}

/**
 * A session holds one turn when it begins, and extends the hold as it goes on. Its ceiling grows with the
 * hold, so at any time at most one turn of the largest size can go beyond what is held (in strict mode
 * nothing can).
 */
export function sessionAmounts(price: Price, mode: HoldMode): HoldAmounts {
  const hold = turnUnits(price, mode)
  return { hold, estimate: hold, ceiling: mode === 'strict' ? hold : hold + largestTurn(price) }
}

/** The most that a session may cost in total. */
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
