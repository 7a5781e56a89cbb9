import { StoreError } from '@tollgate/store/database/errors'
import { afterEach, expect, it } from 'vitest'
import { accountId } from '../src/account.ts'
import type { Command } from '../src/core/command.ts'
import type { Reply } from '../src/core/storage.ts'
import { ServerFolds } from '../src/server/folds.ts'
import { type JournalFile, journalFile } from './support/journal-file.ts'
import { NOW_MS, settledLine } from './support/ledger-process.ts'

const USER = accountId('user', 1)
const context = { nowMs: NOW_MS, instanceId: 'node' }
const files: JournalFile[] = []
afterEach(() => {
  for (const file of files.splice(0)) file.remove()
})

/** A queue that answers these things in turn, and what it was asked. */
function openFolds(answers: readonly (Reply | StoreError)[]) {
  const asked: Command[] = []
  const left = [...answers]
  const run = async (commands: readonly Command[]): Promise<readonly Reply[]> => {
    asked.push(...commands)
    const answer = left.shift()
    if (answer === undefined || answer instanceof StoreError) throw answer ?? new Error('no more answers')
    return [answer]
  }
  return { folds: new ServerFolds({ run }, async () => []), asked }
}

const lost = new StoreError('unreachable', 'the answer was lost')
const folded = (amount: bigint): Reply => ({
  type: 'decided',
  decision: { outcome: { type: 'folded', taken: [{ account: USER, amount }], recovered: 0, scarce: [] } },
})

/** A journal of three calls, of which the first two were written when the answer was lost. */
function journal() {
  const lines = ['a', 'b', 'c'].map((holdId) => settledLine({ userAccount: USER }, holdId, { charged: 9n }))
  const file = journalFile('node', lines)
  files.push(file)
  return { first: file.range(0, 2), longer: file.range(0, 3) }
}

it('a fold whose answer was lost is asked for again before later lines, and tells what it took', async () => {
  const { folds, asked } = openFolds([lost, folded(7n), folded(2n)])
  const { first, longer } = journal()
  await expect(folds.fold(first, context)).rejects.toThrow('lost')
  expect(await folds.fold(longer, context)).toMatchObject({
    result: { type: 'folded', taken: [{ amount: 7n }], to: first.to },
  })
  expect(asked[1]).toBe(asked[0])
  expect(await folds.fold({ ...longer, from: first.to }, context)).toMatchObject({
    result: { taken: [{ amount: 2n }] },
  })
})

it('a fold whose answer was lost several times is one command', async () => {
  const { folds, asked } = openFolds([lost, lost, lost, folded(7n)])
  const { first, longer } = journal()
  for (const range of [first, longer, longer])
    await expect(folds.fold(range, context)).rejects.toThrow('lost')
  expect(await folds.fold(first, context)).toMatchObject({ result: { taken: [{ amount: 7n }] } })
  expect(new Set(asked).size).toBe(1)
})

it('a fold whose answer was lost, but which was not carried out under another id, is read again', async () => {
  const moved: Reply = { type: 'decided', decision: { outcome: { type: 'moved', position: 0 } } }
  const { folds, asked } = openFolds([lost, moved, folded(3n)])
  const { first, longer } = journal()
  await expect(folds.fold(first, context)).rejects.toThrow('lost')
  expect(await folds.fold(longer, context)).toMatchObject({ result: { type: 'moved' } })
  expect(await folds.fold(longer, context)).toMatchObject({ result: { taken: [{ amount: 3n }] } })
  expect(asked[2]).toMatchObject({ input: { to: longer.to } })
})
