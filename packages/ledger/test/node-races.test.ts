import type { Store } from '@tollgate/store/database/open-store'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Command } from '../src/core/command.ts'
import { accountId } from '../src/account.ts'
import { shortOrLong } from './support/faults.ts'
import { type Node, type NodeProcess, type Town, openTown, servers } from './support/nodes.ts'

const AT_ONCE = 201
const REPEATS = shortOrLong(8, 50)
const CREDITS = 99

/** Tests three gateways in separate processes that do everything at the same moment. */
describe.each(servers)('three processes over $label', (server) => {
  let town: Town
  let judge: Node
  let processes: readonly NodeProcess[]

  beforeAll(async () => {
    town = await openTown(server)
    judge = await town.enter('judge')
    processes = await Promise.all(['a', 'b', 'c'].map((name) => town.start(name)))
  })
  afterAll(async () => {
    expect((await judge.ledger.audit()).findings).toEqual([])
    expect(await deadlocks(judge.store)).toBe(0)
    await town.leave()
  })

  /** Distributes the commands evenly over the processes. */
  const everywhere = async (commands: readonly Command[]): Promise<readonly unknown[]> => {
    const shares = processes.map((_, own) => commands.filter((_command, index) => index % 3 === own))
    return (await Promise.all(processes.map((process, own) => process.perform(shares[own] ?? [])))).flat()
  }

  it(
    `admit exactly as many calls as the balance covers, in ${REPEATS} races`,
    { timeout: 600_000 },
    async () => {
      let admitted = 0
      for (let repeat = 1; repeat <= REPEATS; repeat++) {
        const places = 1 + ((repeat * 37) % (AT_ONCE - 1))
        const calls = await crowd(repeat, places)
        const answers = await everywhere(calls)
        const types = answers.map((answer) => (isTyped(answer) ? answer.type : answer))
        expect(types.filter((type) => type === 'reserved')).toHaveLength(places)
        expect(types.filter((type) => type === 'refused')).toHaveLength(AT_ONCE - places)
        admitted += places
      }
      console.log(
        `${server.label}: ${REPEATS} races of ${AT_ONCE} calls in 3 processes, ${admitted} admitted, none too many`,
      )
    },
  )

  /** In every other race the user's quota is the limit, otherwise the token's. */
  async function crowd(owner: number, places: number): Promise<readonly Command[]> {
    const [userAccount, tokenAccount] = [accountId('user', owner), accountId('token', owner)]
    const tight = BigInt(places) * 100n + 99n
    const [ofUser, ofToken] = owner % 2 === 0 ? [tight, 1_000_000n] : [1_000_000n, tight]
    await judge.ledger.credit({ key: `race:${owner}`, account: userAccount, amount: ofUser })
    await judge.ledger.adjust({ key: `race-${owner}`, account: tokenAccount, delta: ofToken })
    const call = { userAccount, tokenAccount, amount: 100n, ceiling: 100n, priceJson: '{}' }
    return Array.from({ length: AT_ONCE }, (_, index) => {
      return { type: 'reserve', input: { ...call, holdId: `race-${owner}-${index}` } }
    })
  }

  it('apply each kind of credit once', async () => {
    const account = accountId('user', 1_000)
    const rewards = accountId('affiliate', 1_000)
    await judge.ledger.credit({ key: 'invite:1001', account: rewards, amount: 30n })
    const task = { holdId: 'task-call', userAccount: account, amount: 0n, ceiling: 50n, priceJson: '{}' }
    await judge.ledger.reserve(task)
    await judge.ledger.settle({ holdId: task.holdId, amount: 50n, flags: [], usageJson: '' })
    const keys = [
      'redeem:1',
      'gift:1:1000',
      'topup:1',
      'checkin:1000:2026-11-21',
      'gift:new:1000',
      'rebate:topup:1',
    ]
    const operations: readonly Command[] = [
      ...keys.map((key) => ({ type: 'credit', input: { key, account, amount: 10n } }) as const),
      { type: 'adjust', input: { key: 'form-1', account, delta: 10n } },
      { type: 'transfer', input: { key: 'move-1', from: rewards, to: account, amount: 10n } },
      { type: 'refund', input: { taskId: 'task-1', requestId: task.holdId, amount: 50n } },
    ]
    for (const operation of operations) {
      const answers = await everywhere(Array.from({ length: CREDITS }, () => operation))
      expect(answers.filter((answer) => isFirst(answer, false))).toHaveLength(1)
      expect(answers.filter((answer) => isFirst(answer, true))).toHaveLength(CREDITS - 1)
    }
    expect(await judge.ledger.balance(account)).toMatchObject({ remaining: 80n, debt: 0n, used: 0n })
    expect(await judge.ledger.balance(rewards)).toMatchObject({ remaining: 20n, used: 10n })
  })
})

function isFirst(answer: unknown, isRepeated: boolean): boolean {
  return (
    typeof answer === 'object' && answer !== null && 'repeated' in answer && answer.repeated === isRepeated
  )
}

function isTyped(answer: unknown): answer is { readonly type: unknown } {
  return typeof answer === 'object' && answer !== null && 'type' in answer
}

/**
 * Checked on PostgreSQL only, which counts deadlocks per database. MariaDB counts them for the whole server,
 * where other tests run too.
 */
async function deadlocks({ db, traits }: Store): Promise<number> {
  if (traits.engine !== 'postgres') return 0
  const counted = sql<{
    deadlocks: number
  }>`select deadlocks from pg_stat_database where datname = current_database()`
  return (await counted.execute(db)).rows[0]?.deadlocks ?? 0
}
