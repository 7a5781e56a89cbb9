import { StoreError } from '@tollgate/store/database/errors'
import type { ReserveInput } from '../inputs.ts'
import type { Ledger } from '../ledger.ts'
import type { ExtendResult, ReserveResult } from '../results.ts'
import type { Local } from './open-local.ts'

/** The operations of calls. */
export type CallOperations = Pick<Ledger, 'reserve' | 'extend' | 'checkpoint' | 'settle' | 'release'>

/** Calls in memory; those that other processes look up are operations of the database. */
export function localCalls(local: Local, durable: CallOperations): CallOperations {
  const { calls, synced } = local
  return {
    reserve: async (input) => {
      if (!input.isShared)
        return unlessUnavailable<ReserveResult>(() => calls.reserve(input), { type: 'unavailable' })
      local.giveBack(accountsOf(input))
      return durable.reserve(input)
    },
    extend: async (input) =>
      calls.has(input.holdId)
        ? unlessUnavailable<ExtendResult>(() => calls.extend(input), { type: 'refused' })
        : durable.extend(input),
    checkpoint: async (input) =>
      calls.has(input.holdId) ? calls.checkpoint(input) : durable.checkpoint(input),
    settle: async (input) => {
      if (!calls.has(input.holdId)) return afterFold(() => durable.settle(input))
      const result = calls.settle(input)
      // A charge that cannot be forced to the disk stands nevertheless: it is written.
      if (synced) await synced().catch(() => undefined)
      return result
    },
    release: async (input) => (calls.has(input.holdId) ? calls.release(input) : durable.release(input)),
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

/** `otherwise` is the answer while the store cannot be written. */
async function unlessUnavailable<T>(run: () => T | Promise<T>, otherwise: T): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof StoreError) return otherwise
    throw error
  }
}
