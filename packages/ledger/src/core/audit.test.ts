import { describe, expect, it } from 'vitest'
import { type AccountId, accountId } from '../account.ts'
import { type AuditSource, auditLedger } from './audit.ts'
import { type AccountState, type AllotmentState, type EntryState, NO_ACCOUNT } from './state.ts'

const user = accountId('user', 1)
const sound: AccountState = { id: user, ...NO_ACCOUNT, granted: 100n, remaining: 60n, used: 40n, version: 1 }

const entry: EntryState = {
  opKey: 'gift:1',
  kind: 'credit',
  requestId: undefined,
  taskId: undefined,
  userAccount: user,
  tokenAccount: undefined,
  channelId: undefined,
  amount: 100n,
  flags: [],
  waived: 0n,
  balanceAfter: 100n,
  priceJson: undefined,
  usageJson: undefined,
  note: undefined,
  createdMs: 0,
}
const consumed: EntryState = { ...entry, opKey: 'consume:a', kind: 'consume', requestId: 'a', amount: 40n }

interface Change {
  accounts?: readonly AccountState[]
  entries?: readonly EntryState[]
  allotments?: readonly AllotmentState[]
  allotmentsOfEnded?: readonly AccountId[]
  allotmentsOutOfReach?: readonly AllotmentState[]
}

function audit(change: Change = {}) {
  const { accounts = [sound], entries = [entry, consumed], allotments = [], allotmentsOfEnded = [] } = change
  const { allotmentsOutOfReach = [] } = change
  const source: AuditSource = {
    accounts: () => accounts,
    entries: () => entries,
    holds: () => [],
    allotments: () => allotments,
    allotmentsOfEnded: () => allotmentsOfEnded,
    allotmentsOutOfReach: () => allotmentsOutOfReach,
    rollups: () => [],
    price: () => undefined,
    repeatedKeys: () => [],
    holdsOfEndedCalls: () => [],
    wrongTotals: () => [],
  }
  return auditLedger(source).findings.map(({ rule }) => rule)
}

const allotment: AllotmentState = {
  account: user,
  instanceId: 'one',
  amount: 25n,
  free: 20n,
  openHolds: 1,
  exposed: 7n,
  budgetSinceMs: 0,
  budgetAmount: 0n,
  budgetFree: 0n,
  exactUntilMs: 0,
}
const allotted: AccountState = { ...sound, remaining: 35n, reserved: 25n }

describe('the ledger audit', () => {
  it('reports nothing for a sound ledger', () => {
    expect(audit()).toEqual([])
  })

  it.each<[string, Parameters<typeof audit>[0]]>([
    ['I1', { accounts: [{ ...sound, remaining: 61n }] }],
    ['I2', { accounts: [{ ...sound, remaining: -1n, debt: 0n, granted: 39n }] }],
    ['I3', { accounts: [{ ...sound, granted: 101n, remaining: 61n }] }],
    ['I4', { accounts: [{ ...sound, used: 41n, remaining: 59n }] }],
    ['I3', { accounts: [allotted] }],
    ['I3', { accounts: [allotted], allotments: [{ ...allotment, amount: 24n }] }],
    ['I3', { allotments: [{ ...allotment, account: accountId('user', 2) }] }],
    ['I8', { allotmentsOfEnded: [user] }],
    ['I10', { accounts: [allotted], allotments: [{ ...allotment, free: 26n }] }],
    ['I10', { accounts: [allotted], allotments: [{ ...allotment, budgetFree: 1n }] }],
    ['I11', { accounts: [allotted], allotments: [allotment], allotmentsOutOfReach: [allotment] }],
    ['I6', { accounts: [{ ...sound, exposed: 1n }] }],
    ['I6', { entries: [entry, { ...consumed, waived: 5n }] }],
    ['I6', { entries: [entry, { ...consumed, flags: ['waived'] }] }],
    ['I6', { entries: [entry, { ...consumed, flags: ['recovered'], note: 'ceiling 39' }] }],
    ['I9', { entries: [entry, { ...consumed, priceJson: '{}', usageJson: '{}' }] }],
    [
      'I10',
      {
        entries: [
          { ...entry, amount: 100n },
          { ...consumed, amount: -40n },
        ],
      },
    ],
  ])('a description of a broken value names %s', (rule, change) => {
    expect(audit(change)).toContain(rule)
  })

  it('accepts an allotment as reserved quota, whose calls are not counted on the account', () => {
    expect(audit({ accounts: [allotted], allotments: [allotment] })).toEqual([])
  })

  it('accepts waived charges that are flagged, and recovered charges below the ceiling', () => {
    expect(audit({ entries: [entry, { ...consumed, waived: 5n, flags: ['waived'] }] })).toEqual([])
    const recovered = { ...consumed, flags: ['recovered'], note: 'ceiling 40' }
    expect(audit({ entries: [entry, recovered] })).toEqual([])
  })
})
