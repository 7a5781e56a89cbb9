import { StoreError } from '@tollgate/store/database/errors'
import type { ReserveInput } from '../inputs.ts'
import type { CallOperations, Ledger } from '../ledger.ts'
import type { ExtendResult, ReserveResult } from '../results.ts'
import { InstanceEnded, type LocalInstances } from './local-instances.ts'
import type { LocalLedger } from './local-ledger.ts'
import type { Others } from './open-local.ts'
import { Patience } from './patience.ts'

/** The operations of calls, each a transaction. */
export type DurableCalls = Pick<Ledger, 'reserve' | 'extend' | 'checkpoint' | 'settle' | 'release'>

export interface LocalCallsParts {
  readonly locals: LocalInstances
  readonly durable: DurableCalls
  readonly others: Others | undefined
}

const UNAVAILABLE: ReserveResult = { type: 'unavailable' }
const NOT_EXTENDED: ExtendResult = { type: 'refused' }
/** Quota that another process needs is returned before an answer ends, if the ledger takes it in this time. */
const RETURN_MS_MAX = 1_000

/** Calls in memory; those that other processes look up are operations of the database. */
export function localCalls({ locals, durable, others }: LocalCallsParts): CallOperations {
  return {
    reserve: (input) =>
      input.isShared ? reserveDurably(input).then(withoutElsewhere) : reserveInMemory(input),
    extend: (input) => {
      const calls = locals.callsWith(input.holdId)
      return calls ? unlessUnavailable(() => calls.extend(input), NOT_EXTENDED) : durable.extend(input)
    },
    checkpoint: (input) => {
      const calls = locals.callsWith(input.holdId)
      return calls ? calls.checkpoint(input) : durable.checkpoint(input)
    },
    settle: (input) => {
      const calls = locals.callsWith(input.holdId)
      if (calls === undefined) return afterFold(() => durable.settle(input))
      const result = calls.settle(input)
      const ended = endOf(calls)
      return ended ? ended.then(() => result) : result
    },
    release: (input) => {
      const calls = locals.callsWith(input.holdId)
      if (calls === undefined) return durable.release(input)
      calls.release(input)
      return calls.returned && atMost(RETURN_MS_MAX, calls.returned)
    },
  }

  function reserveInMemory(input: ReserveInput): ReserveResult | Promise<ReserveResult> {
    const whenFailed = (error: unknown): ReserveResult | Promise<ReserveResult> => {
      if (error instanceof InstanceEnded) return reserveInMemory(input)
      if (error instanceof StoreError) return UNAVAILABLE
      throw error
    }
    try {
      const result = locals.reserve(input)
      return result instanceof Promise ? result.then(withoutElsewhere, whenFailed) : result
    } catch (error) {
      return whenFailed(error)
    }
  }

  /** What the end of an answer waits for. A charge that cannot be forced to the disk stands: it is written. */
  function endOf({ returned }: LocalLedger): Promise<void> | undefined {
    const synced = locals.synced()?.catch(() => undefined)
    if (returned === undefined) return synced
    return atMost(RETURN_MS_MAX, returned).then(() => synced)
  }

  /** The free quota of this process comes first in the queue. */
  async function reserveDurably(input: ReserveInput): Promise<ReserveResult> {
    let patience: Patience | undefined
    for (;;) {
      void locals.giveBack(accountsOf(input))
      const result = await durable.reserve(input)
      if ((result.type !== 'refused' && result.type !== 'crowded') || !result.elsewhere || !others)
        return result
      patience ??= new Patience(others.patienceMs())
      if (result.elsewhere.mayReturn) others.recall(result.elsewhere.account)
      if (!(await patience.wait(result.elsewhere))) return result
    }
  }

  /** The call may have ended in memory before; then the ledger must know that. */
  async function afterFold<T>(run: () => Promise<T>): Promise<T> {
    await locals.caughtUp()
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

/** Callers need not know where the quota is. */
function withoutElsewhere(result: ReserveResult): ReserveResult {
  if (result.type === 'crowded') return { type: 'crowded' }
  if (result.type !== 'refused') return result
  const { elsewhere: _elsewhere, taken: _taken, ...refusal } = result
  return refusal
}

async function atMost(ms: number, work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = setTimeout(() => late.resolve(), ms)
  await Promise.race([work, late.promise])
  clearTimeout(timer)
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
