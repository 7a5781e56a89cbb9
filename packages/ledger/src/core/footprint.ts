import type { AccountId } from '../account.ts'
import type { AllotmentReport } from '../inputs.ts'
import type { Command, CommandType, InputOf } from './command.ts'
import {
  adjustKey,
  consumeKey,
  correctionKey,
  creditKey,
  refundKey,
  refundedCallKey,
  transferInKey,
  transferOutKey,
  openingUseKey,
} from './keys.ts'
import type { EntryState, HoldState } from './state.ts'

/**
 * The rows that deciding a batch may read; with an account also its allotments. Accounts that are only named by its holds or entries are not
 * included; `accountsOf` finds them after those rows were read.
 */
export interface Footprint {
  readonly accounts: ReadonlySet<AccountId>
  readonly holds: ReadonlySet<string>
  readonly entries: ReadonlySet<string>
  readonly tasks: ReadonlySet<number>
  readonly journals: ReadonlySet<string>
}

interface Mark {
  readonly accounts: Set<AccountId>
  readonly holds: Set<string>
  readonly entries: Set<string>
  readonly tasks: Set<number>
  readonly journals: Set<string>
}

/** For stores that cannot read one row at a time: they load this set before deciding. */
export function footprintOf(commands: readonly Command[]): Footprint {
  const mark: Mark = {
    accounts: new Set(),
    holds: new Set(),
    entries: new Set(),
    tasks: new Set(),
    journals: new Set(),
  }
  for (const command of commands) markCommand(mark, command)
  return mark
}

/**
 * The accounts of holds and entries. A change of such a row always changes its accounts too, so locking the
 * accounts locks the rows.
 */
export function accountsOf(rows: Iterable<HoldState | EntryState>): ReadonlySet<AccountId> {
  const accounts = new Set<AccountId>()
  for (const { userAccount, tokenAccount } of rows) {
    accounts.add(userAccount)
    if (tokenAccount !== undefined) accounts.add(tokenAccount)
  }
  return accounts
}

function markCommand<T extends CommandType>(
  mark: Mark,
  { type, input }: { readonly type: T; readonly input: InputOf<T> },
): void {
  const marker: Marker<T> = markers[type]
  marker(mark, input)
}

type Marker<T extends CommandType> = (mark: Mark, input: InputOf<T>) => void

const markers: { readonly [T in CommandType]: Marker<T> } = {
  reserve: (mark, { holdId, userAccount, tokenAccount }) => {
    mark.holds.add(holdId)
    mark.entries.add(consumeKey(holdId))
    markAccounts(mark, { userAccount, tokenAccount })
  },
  extend: markHold,
  checkpoint: markHold,
  settle: markEnd,
  release: markHold,
  recover: markEnd,
  credit: (mark, { key, account, spacing }) => {
    mark.entries.add(creditKey(key))
    for (const earlier of spacing?.keys ?? []) mark.entries.add(creditKey(earlier))
    mark.accounts.add(account)
  },
  open: (mark, { key, account }) => {
    mark.entries.add(creditKey(key)).add(openingUseKey(key))
    mark.accounts.add(account)
  },
  adjust: (mark, { key, account }) => {
    mark.entries.add(adjustKey(key))
    mark.accounts.add(account)
  },
  refund: (mark, { taskId, requestId, end }) => {
    if (end) mark.tasks.add(end.id)
    mark.entries.add(refundKey(taskId)).add(refundedCallKey(requestId))
    mark.entries.add(consumeKey(requestId)).add(correctionKey(requestId))
  },
  transfer: (mark, { key, from, to }) => {
    mark.entries.add(transferOutKey(key)).add(transferInKey(key))
    mark.accounts.add(from).add(to)
  },
  allot: (mark, input) => {
    markAccounts(mark, input)
    markReports(mark, input)
  },
  giveBack: markReports,
  fold: (mark, input) => {
    mark.journals.add(input.fileId)
    markReports(mark, input)
    for (const end of input.ends) {
      if (end.type === 'settled') markAccounts(mark, end)
      if (input.isLate) markEntries(mark, end)
    }
    for (const { call } of input.interrupted) {
      markAccounts(mark, call)
      mark.entries.add(consumeKey(call.holdId))
    }
  },
  reclaim: markAll,
  recall: markAll,
}

function markAccounts(
  mark: Mark,
  { userAccount, tokenAccount }: Pick<HoldState, 'userAccount'> & { readonly tokenAccount?: AccountId },
): void {
  mark.accounts.add(userAccount)
  if (tokenAccount !== undefined) mark.accounts.add(tokenAccount)
}

function markAll(mark: Mark, { accounts }: { readonly accounts: readonly AccountId[] }): void {
  for (const account of accounts) mark.accounts.add(account)
}

function markReports(mark: Mark, { reports }: { readonly reports: readonly AllotmentReport[] }): void {
  for (const { account } of reports) mark.accounts.add(account)
}

function markHold(mark: Mark, { holdId }: { readonly holdId: string }): void {
  mark.holds.add(holdId)
}

/** After a hold has ended, its entries record how it ended. */
function markEnd(mark: Mark, { holdId }: { readonly holdId: string }): void {
  mark.holds.add(holdId)
  markEntries(mark, { holdId })
}

function markEntries(mark: Mark, { holdId }: { readonly holdId: string }): void {
  mark.entries.add(consumeKey(holdId)).add(correctionKey(holdId)).add(refundedCallKey(holdId))
}
