import { describe, expect, it } from 'vitest'
import type { Command } from '../src/core/command.ts'
import { accountId } from '../src/account.ts'
import { Dice, seedOfRun, shortOrLong } from './support/faults.ts'
import { type TestLedger, type OpenHouse, testLedgers } from './support/test-ledgers.ts'
import { perform } from './support/perform.ts'
import { type Town, peopleOf, randomCommand } from './support/random-command.ts'
import { ReferenceModel } from './support/reference-model.ts'
import { positive } from './support/model-state.ts'

const COMMANDS_A_RUN = 100
const GROUP_MAX = 6
const runsOf: Readonly<Record<string, number>> = {
  'in memory': shortOrLong(100, 1_000),
  'SQLite in memory': shortOrLong(40, 1_000),
  'SQLite in a file': shortOrLong(8, 1_000),
}

/**
 * Runs random commands, crashes and restarts, and compares every result and every balance with the reference
 * model.
 */
/** The model decides commands in one order; a ledger with a journal decides calls before the others. */
const { 'SQLite with a journal': _, ...storages } = testLedgers

describe.each(Object.entries(storages))('random runs %s', (name, openTestLedger) => {
  const runs = runsOf[name] ?? shortOrLong(6, 1_000)

  it(
    `agree with the reference model in ${runs} runs of ${COMMANDS_A_RUN} commands`,
    { timeout: 900_000 },
    async () => {
      const counts = await manyRuns(openTestLedger, runs)
      console.log(
        `${name}: ${counts.runs} runs, ${counts.commands} commands, ${counts.crashes} crashes, ${counts.recovered} recovered, ${counts.overdrafts} refused for overdrafts, 0 differences`,
      )
      expect(counts.commands).toBeGreaterThanOrEqual(runs * COMMANDS_A_RUN)
      expect(hasEnough(counts, runs)).toBe(true)
    },
  )
})

/** The runs are only meaningful with enough crashes, recovered holds and overdraft refusals. */
function hasEnough({ crashes, recovered, overdrafts }: Counts, runs: number): boolean {
  return crashes >= runs / 5 && recovered >= runs / 5 && overdrafts >= runs / 5
}

interface Counts {
  runs: number
  commands: number
  crashes: number
  recovered: number
  overdrafts: number
}

async function manyRuns(openTestLedger: OpenHouse, runs: number): Promise<Counts> {
  const seed = seedOfRun()
  const testLedger = await openTestLedger()
  const counts = { runs: 0, commands: 0, crashes: 0, recovered: 0, overdrafts: 0 }
  for (let run = 0; run < runs || (!hasEnough(counts, runs) && run < runs * 10); run++) {
    counts.runs++
    const town = { name: `run${run}`, firstOwner: 1 + run * 10 }
    await oneRun({ testLedger, town, dice: new Dice(seed + run), counts }).catch((error: unknown) => {
      throw new Error(`run ${run} of seed ${seed} differs`, { cause: error })
    })
    if (run % 50 === 49) expect((await testLedger.ledger().audit()).findings).toEqual([])
  }
  expect((await testLedger.ledger().audit()).findings).toEqual([])
  await testLedger.close()
  return counts
}

interface Run {
  readonly testLedger: TestLedger
  readonly town: Town
  readonly dice: Dice
  readonly counts: Counts
}

async function oneRun({ testLedger, town, dice, counts }: Run): Promise<void> {
  const model = new ReferenceModel()
  for (let done = 0; done < COMMANDS_A_RUN;) {
    const group = Array.from({ length: 1 + dice.below(GROUP_MAX) }, () => randomCommand(dice, town))
    counts.overdrafts += await compareGroup(testLedger, model, group)
    done += group.length
    counts.commands += group.length
    if (!dice.chance(0.03)) continue
    await testLedger.crash()
    counts.crashes++
    counts.recovered += model.crash()
    await compareBalances(testLedger, model, town)
  }
  await compareBalances(testLedger, model, town)
}

/**
 * Sends the group at once, so that its commands share a batch; they are decided in the order sent. Returns
 * how many were refused by the overdraft rule.
 */
async function compareGroup(
  testLedger: TestLedger,
  model: ReferenceModel,
  group: readonly Command[],
): Promise<number> {
  let overdrafts = 0
  const answers = await Promise.allSettled(group.map((command) => perform(testLedger.ledger(), command)))
  for (const [index, command] of group.entries()) {
    const answer = answers[index]
    const actual = answer?.status === 'fulfilled' ? answer.value : 'failed'
    expect({ command, answer: actual }).toEqual({ command, answer: model.run(command) })
    if (isOverdraft(actual)) overdrafts++
  }
  return overdrafts
}

function isOverdraft(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'by' in answer && answer.by === 'overdraft'
}

async function compareBalances(testLedger: TestLedger, model: ReferenceModel, town: Town): Promise<void> {
  const owners = peopleOf(town)
  const ids = owners.flatMap((owner) =>
    (['user', 'token', 'affiliate'] as const).map((kind) => accountId(kind, owner)),
  )
  for (const id of ids) {
    const balance = await testLedger.ledger().balance(id)
    const expected = model.account(id)
    expect({ id, ...(balance ?? NOTHING) }).toMatchObject({
      id,
      remaining: positive(expected.has),
      debt: positive(-expected.has),
      used: expected.used,
      reserved: model.reserved(id),
      exposed: model.exposed(id),
      hasPaid: expected.hasPaid,
      unlimited: expected.isUnlimited,
    })
  }
}

const NOTHING = {
  remaining: 0n,
  debt: 0n,
  used: 0n,
  reserved: 0n,
  exposed: 0n,
  hasPaid: false,
  unlimited: false,
}
