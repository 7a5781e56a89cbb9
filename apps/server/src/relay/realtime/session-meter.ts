import { chargeUnits } from '@tollgate/billing/charge'
import { buckets } from '@tollgate/billing/buckets'
import type { Reading } from '@tollgate/dialects/dialect'
import type { ConversationTurn } from '@tollgate/dialects/realtime/turns'
import { noUsage, type Usage } from '@tollgate/dialects/usage'
import type { ExtendResult } from '@tollgate/ledger/results'
import { type CallLedger, whenDone } from '../call-ledger.ts'
import type { Held } from '../stations/hold/held.ts'
import { sessionUnitsMax, turnUnits } from '../stations/hold/session.ts'

const noop = (): void => undefined

export interface SessionMeterInput {
  readonly held: Held
  readonly channelId: number
  readonly ledger: Pick<CallLedger, 'extend' | 'checkpoint'>
  /** Called when the ledger could not extend the hold or write a checkpoint; the session goes on. */
  readonly onError: (error: unknown) => void
}

/**
 * The cost of a session: the sum of its turns, charged once at its end. The hold pays for the turns under
 * way beside the cost, or for the next one; a checkpoint after each turn records what is owed in case of a crash.
 */
export class SessionMeter {
  readonly #input: SessionMeterInput
  readonly #turnUnits: bigint
  #usage: Usage = noUsage
  #held: bigint
  #extending: Promise<boolean> | undefined
  #isEstimated = false

  constructor(input: SessionMeterInput) {
    this.#input = input
    const { price, settings, units } = input.held
    this.#turnUnits = turnUnits(price, settings.holdMode)
    this.#held = units
  }

  /** What is charged for; without usage when nothing was used. */
  get reading(): Reading {
    const usage = this.#usage.turns === undefined ? undefined : this.#usage
    return {
      usage,
      isEstimated: this.#isEstimated,
      finish: undefined,
      outputTokensCounted: 0,
      hasOutput: usage !== undefined,
      isComplete: true,
      error: undefined,
    }
  }

  /** Call this before the frame that ends the turn is sent. */
  add({ usage, isEstimated }: ConversationTurn): void {
    this.#usage = sumOf(this.#usage, usage)
    this.#isEstimated ||= isEstimated
    const { held, channelId, ledger, onError } = this.#input
    const input = { holdId: held.call.id, amount: this.#owed, channelId }
    whenDone(() => ledger.checkpoint(input), noop, onError)
  }

  /** In lenient mode a session may run into debt, up to the ceiling, which grows with the hold. */
  get #mayOwe(): boolean {
    const { settings, ceiling, units } = this.#input.held
    return settings.holdMode === 'lenient' && this.#owed < this.#held + ceiling - units
  }

  get #owed(): bigint {
    return chargeUnits(this.#input.held.price, this.#usage)
  }

  /**
   * Enlarges the hold until it pays for what is owed and this many more turns. Returns whether it does, which
   * the ledger may need a while to find out.
   */
  cover(turns: number): boolean | Promise<boolean> {
    const missing = this.#owed + this.#turnUnits * BigInt(turns) - this.#held
    if (missing <= 0n) return true
    if (this.#extending !== undefined) return this.#extending.then(() => this.cover(turns))
    if (turns > 0 && this.#owed >= sessionUnitsMax(this.#input.held.price)) return false
    const extending = this.#extend(missing)
    if (!(extending instanceof Promise)) return this.#isCovered(extending, turns)
    this.#extending = extending
    return extending.then((hasGrown) => {
      this.#extending = undefined
      return this.#isCovered(hasGrown, turns)
    })
  }

  #isCovered(hasGrown: boolean, turns: number): boolean | Promise<boolean> {
    return hasGrown ? this.cover(turns) : this.#mayOwe
  }

  /** Returns whether the hold has grown. */
  #extend(amount: bigint): boolean | Promise<boolean> {
    const { held, ledger } = this.#input
    const larger = { holdId: held.call.id, amount, movesCeiling: true, budget: held.budget }
    try {
      const result = ledger.extend(larger)
      if (!(result instanceof Promise)) return this.#noteExtended(result)
      return result.then(
        (extended) => this.#noteExtended(extended),
        (error: unknown) => this.#noteFailed(error),
      )
    } catch (error) {
      return this.#noteFailed(error)
    }
  }

  #noteExtended(result: ExtendResult): boolean {
    const hasGrown = result.type === 'extended' && result.held > this.#held
    if (hasGrown) this.#held = result.held
    return hasGrown
  }

  #noteFailed(error: unknown): false {
    this.#input.onError(error)
    return false
  }
}

function sumOf(sum: Usage, turn: Usage): Usage {
  const total: { -readonly [Key in keyof Usage]: Usage[Key] } = { ...sum }
  for (const bucket of buckets) total[bucket] = sum[bucket] + turn[bucket]
  return { ...total, turns: (sum.turns ?? 0) + 1 }
}
