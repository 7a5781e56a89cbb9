import { chargeUnits } from '@tollgate/billing/charge'
import { buckets } from '@tollgate/billing/buckets'
import type { ConversationTurn } from '@tollgate/dialects/realtime/turns'
import { noUsage, type Usage } from '@tollgate/dialects/usage'
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
  /** Called when the balance does not pay for another turn. */
  readonly onExhausted: () => void
}

/**
 * The cost of a session: the sum of its turns, charged once at its end. The hold stays one turn ahead of the
 * cost, and a checkpoint after each turn records what is owed in case of a crash.
 */
export class SessionMeter {
  readonly #input: SessionMeterInput
  readonly #turnUnits: bigint
  #usage: Usage = noUsage
  #held: bigint
  #isExtending = false
  isEstimated = false

  constructor(input: SessionMeterInput) {
    this.#input = input
    const { price, settings, units } = input.held
    this.#turnUnits = turnUnits(price, settings.holdMode)
    this.#held = units
  }

  /** `undefined` when nothing was used. */
  get usage(): Usage | undefined {
    return this.#usage.turns === undefined ? undefined : this.#usage
  }

  /** Call this before the frame that ends the turn is sent, and `keepAhead` after it. */
  add({ usage, isEstimated }: ConversationTurn): void {
    this.#usage = sumOf(this.#usage, usage)
    this.isEstimated ||= isEstimated
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

  /** Enlarges the hold for the next turn. */
  keepAhead(): void {
    const missing = this.#owed + this.#turnUnits - this.#held
    if (missing <= 0n || this.#isExtending) return
    const { held, ledger, onError } = this.#input
    const { call, price, budget } = held
    if (this.#owed >= sessionUnitsMax(price)) return this.#input.onExhausted()
    this.#isExtending = true
    const larger = { holdId: call.id, amount: missing, movesCeiling: true, budget }
    whenDone(
      () => ledger.extend(larger),
      (result) => this.#extended(result.type === 'extended' ? result.held : undefined),
      (error: unknown) => {
        onError(error)
        this.#extended(undefined)
      },
    )
  }

  #extended(units: bigint | undefined): void {
    this.#isExtending = false
    const hasGrown = units !== undefined && units > this.#held
    if (hasGrown) this.#held = units
    if (hasGrown) this.keepAhead()
    else if (!this.#mayOwe) this.#input.onExhausted()
  }
}

function sumOf(sum: Usage, turn: Usage): Usage {
  const total: { -readonly [Key in keyof Usage]: Usage[Key] } = { ...sum }
  for (const bucket of buckets) total[bucket] = sum[bucket] + turn[bucket]
  return { ...total, turns: (sum.turns ?? 0) + 1 }
}
