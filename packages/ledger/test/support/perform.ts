import type { Command } from '../../src/core/command.ts'
import type { Ledger } from '../../src/ledger.ts'

/** Runs a command through the public interface of the ledger. */
export function perform(ledger: Ledger, { type, input }: Command): Promise<unknown> {
  switch (type) {
    case 'reserve':
      return ledger.reserve(input)
    case 'extend':
      return ledger.extend(input)
    case 'checkpoint':
      return ledger.checkpoint(input)
    case 'settle':
      return ledger.settle(input)
    case 'release':
      return ledger.release(input)
    case 'credit':
      return ledger.credit(input)
    case 'adjust':
      return ledger.adjust(input)
    case 'refund':
      return ledger.refund(input)
    case 'transfer':
      return ledger.transfer(input)
    case 'open':
      return ledger.open(input)
    case 'allot':
    case 'giveBack':
    case 'recall':
    case 'fold':
    case 'reclaim':
    case 'recover':
      break
  }
  throw new Error(`${type} is no operation of a caller`)
}
