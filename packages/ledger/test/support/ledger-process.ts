import { invariant } from '@tollgate/kit/invariant'
import { sampleLog, samplePriceJson } from '@tollgate/testkit/sample-call'
import type { AccountId } from '../../src/account.ts'
import type { Command } from '../../src/core/command.ts'
import type { JournalRange } from '../../src/core/journal-range.ts'
import type { FoldReply, LedgerStorage } from '../../src/core/storage.ts'
import type { AllotInput, AllotmentReport } from '../../src/inputs.ts'
import type { OpenedCall, SettledCall } from '../../src/journal/line.ts'
import type { AllotResult } from '../../src/results.ts'
import { type JournalFile, journalFile } from './journal-file.ts'
import type { TestLedger } from './test-ledgers.ts'

/** A process with allotments, in the words of the storage that it uses. */
export class LedgerProcess {
  readonly id: string
  readonly storage: LedgerStorage
  readonly #files: JournalFile[] = []

  private constructor(id: string, storage: LedgerStorage) {
    this.id = id
    this.storage = storage
  }

  static async join(testLedger: TestLedger, id: string): Promise<LedgerProcess> {
    return new LedgerProcess(id, await testLedger.join(id))
  }

  async allot(call: Omit<AllotInput, 'instanceId'>): Promise<AllotResult> {
    const input = { ...call, instanceId: this.id }
    const outcome = await this.run({ type: 'allot', input })
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the core answers with an outcome of the type
    return outcome as AllotResult
  }

  async giveBack(...reports: readonly AllotmentReport[]): Promise<void> {
    await this.run({ type: 'giveBack', input: { reports, instanceId: this.id } })
  }

  async run(command: Command): Promise<unknown> {
    const [reply] = await this.storage.run([command], { nowMs: NOW_MS, instanceId: this.id })
    invariant(reply?.type === 'decided', `a ${command.type} is decided`)
    return reply.decision.outcome
  }

  journal(...lines: Parameters<typeof journalFile>[1]): JournalFile {
    const file = journalFile(this.id, lines)
    this.#files.push(file)
    return file
  }

  /** Folds the lines as a journal file of their own. */
  foldLines(
    lines: Parameters<typeof journalFile>[1],
    reports: readonly AllotmentReport[] = [],
  ): Promise<FoldReply> {
    return this.fold({ ...this.journal(...lines).range(), reports })
  }

  fold(range: JournalRange): Promise<FoldReply> {
    return this.storage.fold(range, { nowMs: NOW_MS, instanceId: this.id })
  }

  clear(): void {
    for (const file of this.#files) file.remove()
  }
}

export const NOW_MS = 1_795_000_000_000

export interface Accounts {
  readonly userAccount: AccountId
  readonly tokenAccount?: AccountId
}

type AskedCall = Omit<AllotInput, 'instanceId'>

export function callOf(accounts: Accounts, amount: bigint, more: Partial<AskedCall> = {}): AskedCall {
  return { ...accounts, amount, ceiling: amount, wanted: 0n, parts: 1, reports: [], ...more }
}

export function reportOf(
  account: AccountId,
  free: bigint,
  more: Partial<AllotmentReport> = {},
): AllotmentReport {
  return { account, free, openHolds: 0, exposed: 0n, ...more }
}

export type SettledLine = SettledCall & { readonly type: 'settled' }

export function settledLine(
  { userAccount, tokenAccount }: Accounts,
  holdId: string,
  more: Partial<SettledCall> = {},
): SettledLine {
  return {
    type: 'settled',
    holdId,
    userAccount,
    tokenAccount,
    isTokenFollowed: false,
    budgetSinceMs: undefined,
    charged: 0n,
    waived: 0n,
    ceiling: 1_000_000n,
    flags: [],
    channelId: 7,
    priceJson: '{}',
    usageJson: '',
    endedMs: NOW_MS,
    log: sampleLog(holdId),
    ...more,
  }
}

export function openedLine(
  { userAccount, tokenAccount }: Accounts,
  holdId: string,
  amount: bigint,
): OpenedCall & { readonly type: 'opened' } {
  return {
    type: 'opened',
    holdId,
    userAccount,
    tokenAccount,
    isTokenFollowed: false,
    budgetSinceMs: undefined,
    amount,
    ceiling: amount * 2n,
    priceJson: samplePriceJson,
    createdMs: NOW_MS,
  }
}
