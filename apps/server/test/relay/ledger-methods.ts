import type { Ledger } from '@tollgate/ledger/ledger'

/** The ledger's methods as plain members, so that some can be replaced. */
export function methodsOf(ledger: Ledger): Ledger {
  return {
    reserve: (input) => ledger.reserve(input),
    extend: (input) => ledger.extend(input),
    checkpoint: (input) => ledger.checkpoint(input),
    settle: (input) => ledger.settle(input),
    release: (input) => ledger.release(input),
    isHeld: (holdId) => ledger.isHeld(holdId),
    credit: (input) => ledger.credit(input),
    adjust: (input) => ledger.adjust(input),
    refund: (input) => ledger.refund(input),
    transfer: (input) => ledger.transfer(input),
    open: (input) => ledger.open(input),
    balance: (account) => ledger.balance(account),
    caughtUp: () => ledger.caughtUp(),
    audit: () => ledger.audit(),
    health: () => ledger.health(),
    gauges: () => ledger.gauges(),
    rollUp: () => ledger.rollUp(),
    clean: (beforeMs) => ledger.clean(beforeMs),
    close: () => ledger.close(),
  }
}
