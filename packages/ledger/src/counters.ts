import type { CommandType, Outcome } from './core/command.ts'
import type { RecoveryReport } from './core/storage.ts'
import type { LedgerHealth } from './ledger.ts'

type Counted = Pick<LedgerHealth, 'openHolds' | 'recovered' | 'corrections' | 'refused'>

/**
 * Counters since the start. A repeated settlement or release is counted again, which is precise enough for
 * metrics.
 */
export class Counters {
  #openHolds: number
  #recovered: number
  #corrections = 0
  #refused = 0

  constructor({ openHolds, recovered }: RecoveryReport) {
    this.#openHolds = openHolds
    this.#recovered = recovered
  }

  addRecovered(calls: number): void {
    this.#recovered += calls
  }

  count(type: CommandType, outcome: Outcome): void {
    if (type === 'reserve' && isRefused(outcome)) this.#refused++
    else if (type === 'reserve') this.#openHolds++
    else if ('late' in outcome && outcome.late) this.#corrections++
    else if (type === 'settle' || type === 'release') this.#openHolds = Math.max(0, this.#openHolds - 1)
  }

  read(): Counted {
    return {
      openHolds: this.#openHolds,
      recovered: this.#recovered,
      corrections: this.#corrections,
      refused: this.#refused,
    }
  }
}

function isRefused(outcome: Outcome): boolean {
  return 'type' in outcome && outcome.type === 'refused'
}
