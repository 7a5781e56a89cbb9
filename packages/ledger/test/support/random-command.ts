import type { Command } from '../../src/core/command.ts'
import { type AccountId, accountId } from '../../src/account.ts'
import type { Dice } from './faults.ts'

/** The users, calls and keys of one random run; only a few, so that commands often affect the same ones. */
export interface Town {
  readonly name: string
  readonly firstOwner: number
}

const PEOPLE = 3
const CALLS = 12
const KEYS = 8

export function peopleOf({ firstOwner }: Town): readonly number[] {
  return Array.from({ length: PEOPLE }, (_, index) => firstOwner + index)
}

type Make = (dice: Dice, town: Town) => Command

const makers: readonly Make[] = [
  reserve,
  reserve,
  reserve,
  extend,
  (dice, town) => ({ type: 'checkpoint', input: { holdId: call(dice, town), amount: amount(dice, 300) } }),
  settle,
  settle,
  settle,
  (dice, town) => ({ type: 'release', input: { holdId: call(dice, town) } }),
  (dice, town) => ({
    type: 'credit',
    input: {
      key: `${dice.chance(0.2) ? 'topup:' : ''}${town.name}-${dice.below(KEYS)}`,
      account: anybody(dice, town),
      amount: amount(dice, 900),
    },
  }),
  adjust,
  (dice, town) => ({
    type: 'refund',
    input: {
      taskId: `${town.name}-${dice.below(KEYS)}`,
      requestId: call(dice, town),
      amount: amount(dice, 60),
    },
  }),
  transfer,
  open,
]

export function randomCommand(dice: Dice, town: Town): Command {
  return dice.one(makers)(dice, town)
}

function reserve(dice: Dice, town: Town): Command {
  const owner = dice.one(peopleOf(town))
  const held = amount(dice, 400)
  const input = {
    holdId: call(dice, town),
    userAccount: accountId('user', owner),
    amount: held,
    ceiling: held + amount(dice, 300),
    priceJson: '{}',
    ...(dice.chance(0.5) && { overdraft: { factor: BigInt(dice.below(4)), admitsAlone: dice.chance(0.5) } }),
  }
  return dice.chance(0.7)
    ? { type: 'reserve', input: { ...input, tokenAccount: accountId('token', owner) } }
    : { type: 'reserve', input }
}

function extend(dice: Dice, town: Town): Command {
  const input = { holdId: call(dice, town), amount: amount(dice, 300) }
  return { type: 'extend', input: dice.chance(0.2) ? { ...input, movesCeiling: true } : input }
}

function settle(dice: Dice, town: Town): Command {
  return {
    type: 'settle',
    input: { holdId: call(dice, town), amount: amount(dice, 700), flags: [], usageJson: '' },
  }
}

function adjust(dice: Dice, town: Town): Command {
  const account = dice.chance(0.5) ? accountId('token', dice.one(peopleOf(town))) : anybody(dice, town)
  const input = { key: `${town.name}-${dice.below(KEYS)}`, account, delta: amount(dice, 600) - 250n }
  if (account % 4 === 1 && dice.chance(0.5))
    return { type: 'adjust', input: { ...input, unlimited: dice.chance(0.5) } }
  return dice.chance(0.2)
    ? { type: 'adjust', input: { ...input, expected: amount(dice, 300) } }
    : { type: 'adjust', input }
}

function transfer(dice: Dice, town: Town): Command {
  const owner = dice.one(peopleOf(town))
  const input = {
    key: `${town.name}-${dice.below(KEYS)}`,
    from: accountId('affiliate', owner),
    to: accountId('user', owner),
    amount: amount(dice, 200) + 1n,
  }
  return { type: 'transfer', input }
}

function open(dice: Dice, town: Town): Command {
  const account = anybody(dice, town)
  const input = {
    key: `${town.name}-open-${dice.below(KEYS)}`,
    account,
    remaining: amount(dice, 600) - 150n,
    used: amount(dice, 300),
  }
  return account % 4 === 1 && dice.chance(0.5)
    ? { type: 'open', input: { ...input, unlimited: dice.chance(0.5) } }
    : { type: 'open', input }
}

function anybody(dice: Dice, town: Town): AccountId {
  return accountId(dice.one(['user', 'user', 'token', 'affiliate'] as const), dice.one(peopleOf(town)))
}

function call(dice: Dice, { name }: Town): string {
  return `${name}-${dice.below(CALLS)}`
}

/** Mostly small numbers, which often hit limits, and occasionally one beyond the exact range of a float. */
function amount(dice: Dice, end: number): bigint {
  return BigInt(dice.below(end)) + (dice.chance(0.005) ? 2n ** 53n + 1n : 0n)
}
