import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { TurnShare } from './turn-share.ts'

function harness(workMs: number) {
  let nowMs = 0
  const share = new TurnShare(() => nowMs)
  const work = () => {
    nowMs += workMs
  }
  return { share, spend: () => share.spend(work) }
}

test('work that takes its share of a turn has to wait for the next one', async () => {
  const { spend } = harness(0.75)
  expect([spend(), spend(), spend()]).toEqual([false, false, true])
  await turn()
  expect(spend()).toBe(false)
})

test('those who wait go on four at a time and in order, and what arrives later waits behind them', async () => {
  const { share, spend } = harness(3)
  const went: number[] = []
  expect(spend()).toBe(true)
  for (let at = 0; at < 10; at++) share.wait(() => void went.push(at))
  const seen: number[] = []
  for (let at = 0; at < 4; at++) {
    seen.push(went.length)
    await turn()
  }
  expect(seen).toEqual([0, 4, 8, 10])
  expect(went).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})

test('one who takes more than a share when it goes on does not keep the others from theirs', async () => {
  const { share, spend } = harness(50)
  let rounds = 0
  const goOn = () => {
    if (rounds++ < 20 && spend()) share.wait(goOn)
  }
  share.wait(goOn)
  let others = 0
  for (let at = 0; at < 40; at++) {
    share.wait(() => void others++)
    await turn()
  }
  expect({ rounds, others }).toEqual({ rounds: 21, others: 40 })
})
