import type { CallOperations, Ledger } from '@tollgate/ledger/ledger'

/** The ledger as calls use it. */
export type CallLedger = Omit<Ledger, keyof CallOperations> & CallOperations

/** A call waits for no promise of the ledger where none is needed. */
export function callLedger(ledger: Ledger): CallLedger {
  return ledger.calls === undefined ? ledger : { ...ledger, ...ledger.calls }
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
