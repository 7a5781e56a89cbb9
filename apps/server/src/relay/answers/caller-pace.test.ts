import { ManualClock } from '@tollgate/kit/clock'
import { expect, test } from 'vitest'
import { Watch } from '../watch.ts'
import { AnswerBudget } from './answer-budget.ts'
import { CallerPace } from './caller-pace.ts'

const MIB = 1024 * 1024
const LIMITS = { answerBytesMax: 8 * MIB, answersBytesMax: 12 * MIB, userAnswersBytesMax: 8 * MIB }

const seeNothing = () => ({ takenBytes: 0, isPending: false })

function harness(bytesPerSecond: number, isPending = true) {
  const clock = new ManualClock()
  const watch = new Watch(clock, () => undefined)
  const budget = new AnswerBudget(LIMITS)
  const pace = new CallerPace(budget, watch)
  pace.start()
  watch.close()
  let takenBytes = 0
  let cuts = 0
  const slow = budget.open({
    userId: 1,
    onRoom: () => undefined,
    progress: () => ({ takenBytes, isPending }),
    cut: () => {
      cuts++
      slow.end()
    },
  })
  slow.need(8 * MIB, false)
  const wait = (seconds: number) => {
    for (let at = 0; at < seconds; at++) {
      clock.advance(1000)
      takenBytes += bytesPerSecond
      watch.tick()
    }
  }
  const another = () => {
    const lease = budget.open({
      userId: 1,
      onRoom: () => undefined,
      progress: seeNothing,
      cut: () => undefined,
    })
    lease.need(4 * MIB, false)
    return lease
  }
  return { wait, another, cuts: () => cuts }
}

test.each([
  ['reads nothing', 0],
  ['drips', 10],
  ['reads too slowly', 30_000],
])('a caller who %s is cut when another answer waits for the room, and never without one', (_, rate) => {
  const { wait, another, cuts } = harness(rate)
  wait(60)
  expect(cuts()).toBe(0)
  const waiting = another()
  expect(waiting.isWaiting).toBe(true)
  wait(1)
  expect({ cuts: cuts(), isWaiting: waiting.isWaiting }).toEqual({ cuts: 1, isWaiting: false })
})

test('a caller who takes a mebibyte in half a minute is left alone, and so is one who waits for its upstream', () => {
  for (const [rate, isPending] of [
    [40_000, true],
    [0, false],
  ] as const) {
    const { wait, another, cuts } = harness(rate, isPending)
    another()
    wait(90)
    expect(cuts()).toBe(0)
  }
})

test('half a minute passes before anyone is cut', () => {
  const { wait, another, cuts } = harness(0)
  another()
  wait(30)
  expect(cuts()).toBe(0)
  wait(1)
  expect(cuts()).toBe(1)
})
