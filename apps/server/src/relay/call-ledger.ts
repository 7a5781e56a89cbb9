import type { Ledger } from '@tollgate/ledger/ledger'

type OfCalls = 'reserve' | 'extend' | 'checkpoint' | 'settle' | 'release'

/**
 * The ledger as calls use it. An operation that was decided in memory is done when it returns; one that needs
 * the store returns a promise.
 */
export type CallLedger = Omit<Ledger, OfCalls> & {
  [Name in OfCalls]: (
    ...input: Parameters<Ledger[Name]>
  ) => Awaited<ReturnType<Ledger[Name]>> | ReturnType<Ledger[Name]>
}

/** Passes on the result of an operation: in the same turn of the event loop, if it is known by then. */
export function whenDone<Result>(
  operate: () => Result | Promise<Result>,
  onDone: (result: Result) => void,
  onError: (error: unknown) => void,
): void {
  let result: Result | Promise<Result>
  try {
    result = operate()
  } catch (error) {
    return onError(error)
  }
  if (result instanceof Promise) result.then(onDone, onError)
  else onDone(result)
}
