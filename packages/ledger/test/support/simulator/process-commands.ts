import type { Command } from '../../../src/core/command.ts'
import { type AccountId, accountId } from '../../../src/account.ts'
import type { AllotmentReport, FoldInput } from '../../../src/inputs.ts'
import type { CallEnd } from '../../../src/journal/line.ts'
import type { Dice } from '../faults.ts'
import { PEOPLE } from './world-size.ts'

/** Commands that a process submits about its own allotments and journals. */
export type ProcessCommand = Extract<Command, { type: 'allot' | 'giveBack' | 'recall' | 'fold' }>

const TYPES: ReadonlySet<string> = new Set<ProcessCommand['type']>(['allot', 'giveBack', 'recall', 'fold'])

export function isOfProcess(command: Command): command is ProcessCommand {
  return TYPES.has(command.type)
}

const UNITS = 300

/** Random commands of processes, each with a journal of its own. */
export class ProcessCommands {
  /** Position up to which the ranges of a process were submitted. */
  readonly #positions = new Map<string, number>()
  readonly #departed: string[] = []

  /** From now on its journal is folded by others. */
  leave(name: string): void {
    this.#departed.push(name)
  }

  command(dice: Dice, name: string): ProcessCommand {
    const chosen = dice.below(10)
    if (chosen < 5) return allot(dice, name)
    if (chosen < 6)
      return { type: 'recall', input: { accounts: [accountId('user', 1 + dice.below(PEOPLE))] } }
    if (chosen < 8)
      return { type: 'giveBack', input: { reports: reports(dice, peopleOf(dice)), instanceId: name } }
    return { type: 'fold', input: this.#fold(dice, name) }
  }

  /** A journal of a process that is gone is folded from wherever, perhaps while its last fold is under way. */
  #fold(dice: Dice, name: string): FoldInput {
    const isOthers = this.#departed.length > 0 && dice.chance(0.4)
    const fileId = isOthers ? dice.one(this.#departed) : name
    const submitted = this.#positions.get(fileId) ?? 0
    const from = isOthers ? dice.below(submitted + 1) : submitted
    if (!isOthers) this.#positions.set(fileId, from + 1)
    const accounts = peopleOf(dice)
    return {
      fileId,
      instanceId: fileId,
      from,
      to: from + 1,
      ends: Array.from({ length: 1 + dice.below(3) }, (_, index) =>
        callEnd(dice, `${fileId}-${from}-${index}`, accounts),
      ),
      interrupted: [],
      rejected: [],
      reports: dice.chance(0.5) ? reports(dice, accounts) : [],
      isLate: false,
    }
  }
}

interface People {
  readonly userAccount: AccountId
  readonly tokenAccount: AccountId | undefined
}

function peopleOf(dice: Dice): People {
  const owner = 1 + dice.below(PEOPLE)
  const tokenAccount = dice.chance(0.7) ? accountId('token', owner) : undefined
  return { userAccount: accountId('user', owner), tokenAccount }
}

function allot(dice: Dice, instanceId: string): ProcessCommand {
  const people = peopleOf(dice)
  const amount = units(dice)
  const overdraft = dice.chance(0.3)
    ? { factor: BigInt(dice.below(4)), admitsAlone: dice.chance(0.5) }
    : undefined
  return {
    type: 'allot',
    input: {
      ...people,
      amount,
      ceiling: amount + units(dice),
      overdraft,
      wanted: dice.chance(0.5) ? units(dice) : 0n,
      parts: 1 + dice.below(4),
      reports: dice.chance(0.5) ? reports(dice, people) : [],
      instanceId,
    },
  }
}

function reports(dice: Dice, { userAccount, tokenAccount }: People): readonly AllotmentReport[] {
  const accounts = tokenAccount === undefined ? [userAccount] : [userAccount, tokenAccount]
  return accounts.map((account) => ({
    account,
    free: units(dice),
    openHolds: dice.below(3),
    exposed: account === userAccount ? units(dice) : 0n,
  }))
}

function callEnd(dice: Dice, holdId: string, people: People): CallEnd {
  if (dice.chance(0.2)) return { type: 'released', holdId, endedMs: 0, log: undefined }
  const charged = units(dice)
  return {
    type: 'settled',
    holdId,
    ...people,
    isTokenFollowed: dice.chance(0.2),
    budgetSinceMs: undefined,
    charged,
    waived: 0n,
    ceiling: charged,
    flags: [],
    channelId: undefined,
    priceJson: '{}',
    usageJson: '',
    endedMs: 0,
    log: undefined,
  }
}

function units(dice: Dice): bigint {
  return BigInt(dice.below(UNITS))
}
