import { chargeUnits } from '@tollgate/billing/charge'
import { isCount } from '@tollgate/billing/model-limits'
import { inputTokens, type Usage } from '@tollgate/dialects/usage'
import type { ExtendResult, Ledger } from '@tollgate/ledger/ledger'
import type { Held } from '../hold/held.ts'
import { countedUsage, usageWithInput } from '../settle/counted.ts'

export interface StreamMeterInput {
  readonly held: Held
  readonly channelId: number
  /** Asked for, where it is not the ordinary one. */
  readonly serviceTier?: string | undefined
  readonly ledger: Pick<Ledger, 'extend' | 'checkpoint'>
  /** Told of what the ledger could not do; the stream goes on. */
  readonly onError: (error: unknown) => void
}

const CHECKPOINT_MS = 2_000
/** The hold is enlarged when this much of it is used, so that the answer comes before it is used up. */
const EXTEND_AT_PERCENT = 80n
const PRICED_TOKENS = 1_000_000

/**
 * Watches what an answer costs while it is written: checkpoints for a crash, enlarges the hold as it fills, and says when
 * the balance has ended. Between these moments a call only compares two numbers.
 */
export class StreamMeter {
  readonly #input: StreamMeterInput
  #tariff: Tariff | undefined
  /** What the upstream said it read, where that is more than was counted. */
  #reported: Usage | undefined
  #units: bigint
  #checkpointAt: number | undefined
  #isRefused = false
  #isWaiting = false
  #isMeasured = false
  #outputTokens = 0
  /** Nothing has to be done before so many output tokens. */
  nextTokens = 0
  /** The hold is used up and the ledger has not answered yet: the upstream should wait. */
  isBlocking = false
  /** Resumed when the ledger has answered. An object and no closure, for the reason that `Call` gives. */
  waiter: { resume(): void } | undefined

  constructor(input: StreamMeterInput) {
    this.#input = input
    this.#units = input.held.units
  }

  /** Call it when `nextTokens` is reached; the first call finds out where the next one is due. */
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

  /** An upstream may tell in the middle of a stream that it read more than was counted: that is paid for from then on. */
  heardUsage(usage: Usage): void {
    const { bounds } = this.#input.held
    const known = this.#reported === undefined ? bounds.inputTokensCounted : inputTokens(this.#reported)
    if (inputTokens(usage) <= known || !isCount(usage, bounds)) return
    this.#reported = usage
    this.#tariff = undefined
    if (this.#isRefused) return this.#refused()
    // While the ledger is being asked, its answer measures anew.
    if (this.#isWaiting) return
    this.#isMeasured = false
    this.nextTokens = 0
  }

  checkpointFirst(now: number, outputTokens = 0): void {
    this.#checkpoint(now, outputTokens)
  }

  checkpointEvery(now: number, outputTokens: number): void {
    this.#checkpointAt ??= now
    if (now - this.#checkpointAt >= CHECKPOINT_MS) this.#checkpoint(now, outputTokens)
  }

  #checkpoint(now: number, outputTokens: number): void {
    const amount = this.#rates().unitsAt(outputTokens)
    const { held, channelId, ledger, onError } = this.#input
    this.#checkpointAt = now
    ledger.checkpoint({ holdId: held.call.id, amount, channelId }).catch(onError)
  }

  /** By as much again as is held, or by what the answer costs already where that is more; never above the ceiling. */
  #extend(): void {
    const { held, ledger, onError } = this.#input
    const room = held.ceiling - this.#units
    const owed = (this.#rates().unitsAt(this.#outputTokens) * 100n) / EXTEND_AT_PERCENT + 1n
    const missing = owed - this.#units
    const wanted = missing > this.#units ? missing : this.#units
    const amount = wanted > 0n && wanted < room ? wanted : room
    this.#isWaiting = true
    this.nextTokens = this.#isLenient ? Number.POSITIVE_INFINITY : this.#rates().tokensFor(this.#units)
    ledger.extend({ holdId: held.call.id, amount, ...(held.budget && { budget: held.budget }) }).then(
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

  /** With all set aside that the call can cost, there is nothing left to watch. */
  #heldNow(units: bigint): void {
    this.#isMeasured = true
    this.#units = units
    this.nextTokens =
      units >= this.#input.held.ceiling
        ? Number.POSITIVE_INFINITY
        : this.#rates().tokensFor((units * EXTEND_AT_PERCENT) / 100n)
  }

  #rates(): Tariff {
    return (this.#tariff ??= tariffOf(this.#input, this.#reported))
  }
}

/** The price of an answer as a straight line: input, then so much a token. */
interface Tariff {
  unitsAt(outputTokens: number): bigint
  /** The most output tokens that cost no more than `units`. */
  tokensFor(units: bigint): number
}

function tariffOf({ held, serviceTier }: StreamMeterInput, reported: Usage | undefined): Tariff {
  const unitsAt = (outputTokens: number) => {
    const usage =
      reported === undefined
        ? countedUsage(held, outputTokens, serviceTier)
        : usageWithInput(held, reported, outputTokens)
    return chargeUnits(held.price, usage)
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
