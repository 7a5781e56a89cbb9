import { StoreError } from '@tollgate/store/database/errors'
import type { ReserveInput } from '../inputs.ts'
import type { CallOperations, Ledger } from '../ledger.ts'
import type { ExtendResult, ReserveResult } from '../results.ts'
import type { Local } from './open-local.ts'

/** The operations of calls, each a transaction. */
export type DurableCalls = Pick<Ledger, 'reserve' | 'extend' | 'checkpoint' | 'settle' | 'release'>

const UNAVAILABLE: ReserveResult = { type: 'unavailable' }
const NOT_EXTENDED: ExtendResult = { type: 'refused' }

/** Calls in memory; those that other processes look up are operations of the database. */
export function localCalls(local: Local, durable: DurableCalls): CallOperations {
  const { calls, synced } = local
  return {
    reserve: (input) => {
      if (!input.isShared) return unlessUnavailable(() => calls.reserve(input), UNAVAILABLE)
      local.giveBack(accountsOf(input))
      return durable.reserve(input)
    },
    extend: (input) =>
      calls.has(input.holdId)
        ? unlessUnavailable(() => calls.extend(input), NOT_EXTENDED)
        : durable.extend(input),
    checkpoint: (input) => (calls.has(input.holdId) ? calls.checkpoint(input) : durable.checkpoint(input)),
    settle: (input) => {
      if (!calls.has(input.holdId)) return afterFold(() => durable.settle(input))
      const result = calls.settle(input)
      // A charge that cannot be forced to the disk stands nevertheless: it is written.
      return synced
        ? synced().then(
            () => result,
            () => result,
          )
        : result
    },
    release: (input) => (calls.has(input.holdId) ? calls.release(input) : durable.release(input)),
  }

  /** The call may have ended in memory before; then the ledger must know that. */
  async function afterFold<T>(run: () => Promise<T>): Promise<T> {
    await local.caughtUp()
    return run()
  }
}

function accountsOf({ userAccount, tokenAccount }: ReserveInput): readonly number[] {
  return tokenAccount === undefined ? [userAccount] : [userAccount, tokenAccount]
}

/** The same operations, each with a promise. */
export function withPromises(calls: CallOperations): DurableCalls {
  return {
    reserve: async (input) => calls.reserve(input),
    extend: async (input) => calls.extend(input),
    checkpoint: async (input) => calls.checkpoint(input),
    settle: async (input) => calls.settle(input),
    release: async (input) => calls.release(input),
  }
}

/** `otherwise` is the answer while the store cannot be written. */
function unlessUnavailable<T>(run: () => T | Promise<T>, otherwise: T): T | Promise<T> {
  const whenFailed = (error: unknown): T => {
    if (error instanceof StoreError) return otherwise
    throw error
  }
  try {
    const result = run()
    return result instanceof Promise ? result.catch(whenFailed) : result
  } catch (error) {
    return whenFailed(error)
  }
}
