import { chargeUnits } from '@tollgate/billing/charge'
import { isCount } from '@tollgate/billing/model-limits'
import type { Price } from '@tollgate/billing/price'
import { inputTokens, type Usage } from '@tollgate/dialects/usage'
import type { ExtendResult } from '@tollgate/ledger/results'
import { type CallLedger, whenDone } from '../../call-ledger.ts'
import { findNamedPrice } from '../../prices/further-models.ts'
import type { Held } from '../hold/held.ts'
import { countedUsage, usageWithInput } from '../settle/counted.ts'

export interface StreamMeterInput {
  readonly held: Held
  readonly channelId: number
  /** The service tier requested, if it is not the default. */
  readonly serviceTier?: string | undefined
  readonly ledger: Pick<CallLedger, 'extend' | 'checkpoint'>
  /** Called when the ledger could not extend the hold or write a checkpoint; the stream goes on. */
  readonly onError: (error: unknown) => void
}

const noop = (): void => undefined
const CHECKPOINT_MS = 2_000
/** The hold is enlarged when this much of it is used, so that the ledger responds before it is used up. */
const EXTEND_AT_PERCENT = 80n
const PRICED_TOKENS = 1_000_000

/**
 * Follows the cost of a response while it is streamed: writes checkpoints in case of a crash, enlarges the
 * hold as it is used up, and reports when the balance is exhausted. Between these moments the check is one
 * comparison of two numbers.
 */
export class StreamMeter {
  readonly #input: StreamMeterInput
  #tariff: Tariff | undefined
  /** Input usage reported by the upstream, if it is more than was counted. */
  #reported: Usage | undefined
  #units: bigint
  #price: Price
  #servedModel: string | undefined
  #checkpointAt: number | undefined
  #isRefused = false
  #isWaiting = false
  #isMeasured = false
  #outputTokens = 0
  /** Number of output tokens at which `reached` must be called next. */
  nextTokens = 0
  /** The hold is used up and the ledger has not responded yet, so the upstream should be paused. */
  isBlocking = false
  /** Resumed when the ledger has responded. An object and not a closure, for the reason given in `Call`. */
  waiter: { resume(): void } | undefined

  constructor(input: StreamMeterInput) {
    this.#input = input
    this.#units = input.held.units
    this.#price = input.held.price
  }

  /** Takes the model that the stream names: one that the caller named has its own price. */
  heardModel(served: string): void {
    const { price: requested, namedPrices } = this.#input.held
    if (namedPrices === undefined || this.#servedModel === served) return
    this.#servedModel = served
    const price = findNamedPrice(namedPrices, served)?.price ?? requested
    if (price === this.#price) return
    this.#price = price
    this.#remeasure()
  }

  /** Call this when `nextTokens` is reached. The first call computes where the next one is due. */
  reached(outputTokens: number): 'go-on' | 'wait' | 'cut' {
    this.#outputTokens = outputTokens
    if (!this.#isMeasured) this.#heldNow(this.#units)
    if (outputTokens < this.nextTokens) return 'go-on'
    this.isBlocking = this.#isWaiting
    if (this.#isWaiting) return 'wait'
    if (this.#isRefused) return 'cut'
    this.#extend()
    return this.reached(outputTokens)
  }

  /**
   * Takes a usage report in the middle of a stream. If the upstream read more input than was counted, the
   * cost is computed from its figure from then on.
   */
  heardUsage(usage: Usage): void {
    const { bounds } = this.#input.held
    const known = this.#reported === undefined ? bounds.inputTokensCounted : inputTokens(this.#reported)
    if (inputTokens(usage) <= known || !isCount(usage, bounds)) return
    this.#reported = usage
    this.#remeasure()
  }

  #remeasure(): void {
    this.#tariff = undefined
    if (this.#isRefused) return this.#refused()
    // While an extension is under way, its result recomputes the limit.
    if (this.#isWaiting) return
    this.#isMeasured = false
    this.nextTokens = 0
  }

  checkpointEvery(now: number, outputTokens: number): void {
    this.#checkpointAt ??= now
    if (now - this.#checkpointAt >= CHECKPOINT_MS) this.checkpoint(now, outputTokens)
  }

  checkpoint(now: number, outputTokens = 0): void {
    const amount = this.#rates().unitsAt(outputTokens)
    const { held, channelId, ledger, onError } = this.#input
    this.#checkpointAt = now
    const input = { holdId: held.call.id, amount, channelId }
    whenDone(() => ledger.checkpoint(input), noop, onError)
  }

  /** Extends the hold by its own size, or up to the cost so far if that is more; never above the ceiling. */
  #extend(): void {
    const { held, ledger, onError } = this.#input
    const room = held.ceiling - this.#units
    const owed = (this.#rates().unitsAt(this.#outputTokens) * 100n) / EXTEND_AT_PERCENT + 1n
    const missing = owed - this.#units
    const wanted = missing > this.#units ? missing : this.#units
    const amount = wanted > 0n && wanted < room ? wanted : room
    this.#isWaiting = true
    this.nextTokens = this.#isLenient ? Number.POSITIVE_INFINITY : this.#rates().tokensFor(this.#units)
    const input = { holdId: held.call.id, amount, budget: held.budget }
    whenDone(
      () => ledger.extend(input),
      (result) => this.#extended(result),
      (error: unknown) => {
        onError(error)
        this.#extended({ type: 'refused' })
      },
    )
  }

  #extended(result: ExtendResult): void {
    this.#isWaiting = false
    this.isBlocking = false
    if (result.type === 'extended') this.#heldNow(result.held)
    else this.#refused()
    this.waiter?.resume()
  }

  #refused(): void {
    this.#isRefused = true
    this.nextTokens = this.#rates().tokensFor(this.#isLenient ? this.#input.held.ceiling : this.#units)
  }

  get #isLenient(): boolean {
    return this.#input.held.settings.holdMode === 'lenient'
  }

  /** Once the whole ceiling is held, no further check is needed. */
  #heldNow(units: bigint): void {
    this.#isMeasured = true
    this.#units = units
    this.nextTokens =
      units >= this.#input.held.ceiling
        ? Number.POSITIVE_INFINITY
        : this.#rates().tokensFor((units * EXTEND_AT_PERCENT) / 100n)
  }

  #rates(): Tariff {
    return (this.#tariff ??= buildTariff(this.#input, this.#price, this.#reported))
  }
}

/** The price of a response as a linear function: the input, then a fixed amount per output token. */
interface Tariff {
  unitsAt(outputTokens: number): bigint
  /** The largest number of output tokens that costs no more than `units`. */
  tokensFor(units: bigint): number
}

function buildTariff(
  { held, serviceTier }: StreamMeterInput,
  price: Price,
  reportedUsage: Usage | undefined,
): Tariff {
  const unitsAt = (outputTokens: number) => {
    const usage =
      reportedUsage === undefined
        ? countedUsage(held, outputTokens, serviceTier)
        : usageWithInput(held, reportedUsage, outputTokens)
    return chargeUnits(price, usage)
  }
  const start = unitsAt(0)
  const slope = unitsAt(PRICED_TOKENS) - start
  return {
    unitsAt,
    tokensFor: (units) => {
      if (slope <= 0n) return Number.POSITIVE_INFINITY
      return units <= start ? 0 : Number(((units - start) * BigInt(PRICED_TOKENS)) / slope)
    },
  }
}
