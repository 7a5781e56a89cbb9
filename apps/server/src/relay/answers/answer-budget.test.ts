import { Problem } from '@tollgate/problems/problem'
import { expect, test } from 'vitest'
import { AnswerBudget } from './answer-budget.ts'
import type { AnswerLease } from './answer-lease.ts'

const MIB = 1024 * 1024
const LIMITS = { answerBytesMax: 64 * MIB, answersBytesMax: 256 * MIB, userAnswersBytesMax: 64 * MIB }

const seeNothing = () => ({ takenBytes: 0, isPending: false })

function openLease(budget: AnswerBudget, userId: number, onRoom: () => void = () => undefined): AnswerLease {
  return budget.open({ userId, onRoom, progress: seeNothing, cut: () => undefined })
}

function refusalOf(act: () => void): string | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    return error instanceof Problem ? error.code : String(error)
  }
}

test('an answer of the largest permitted size fits, and a second one of its user waits for it', () => {
  const budget = new AnswerBudget(LIMITS)
  const first = openLease(budget, 1)
  expect(first.need(64 * MIB, false)).toBe(true)
  let isServed = false
  const second = openLease(budget, 1, () => {
    isServed = true
  })
  expect(second.need(40 * MIB, false)).toBe(false)
  expect(second.waitsFor).toBe('user')
  expect(refusalOf(() => budget.requireRoom(1))).toBe('too_many_answer_bytes')
  expect(refusalOf(() => budget.requireRoom(2))).toBeUndefined()
  first.end()
  expect({ isServed, used: budget.used, waiting: budget.waiting }).toEqual({
    isServed: true,
    used: 40 * MIB,
    waiting: 0,
  })
  second.end()
  second.end()
  expect(budget.used).toBe(0)
})

test('three quarters of the process are for large answers, and the last quarter for ordinary ones', () => {
  const budget = new AnswerBudget(LIMITS)
  const large = [1, 2, 3].map((userId) => openLease(budget, userId))
  for (const lease of large) expect(lease.need(64 * MIB, false)).toBe(true)
  const fourth = openLease(budget, 4)
  expect(fourth.need(2 * MIB, false)).toBe(false)
  expect(fourth.waitsFor).toBe('process')
  expect(openLease(budget, 5).need(MIB, false)).toBe(true)
  // What fills the process is no reason to refuse a user whose own room is empty.
  expect(refusalOf(() => budget.requireRoom(4))).toBeUndefined()
  large[0]?.end()
  expect(fourth.isWaiting).toBe(false)
})

test('a waiting answer is not overtaken by a later one of the same kind', () => {
  const budget = new AnswerBudget(LIMITS)
  const large = [1, 2, 3].map((userId) => openLease(budget, userId))
  for (const lease of large) lease.need(60 * MIB, false)
  const early = openLease(budget, 4)
  const late = openLease(budget, 5)
  expect(early.need(60 * MIB, false)).toBe(false)
  expect(late.need(4 * MIB, false)).toBe(false)
  large[0]?.end()
  expect({ early: early.isWaiting, late: late.isWaiting }).toEqual({ early: false, late: false })
})

test('the room that one user fills holds nobody else up', () => {
  const budget = new AnswerBudget(LIMITS)
  openLease(budget, 1).need(64 * MIB, false)
  for (let at = 0; at < 10; at++) expect(openLease(budget, 1).need(30 * MIB, false)).toBe(false)
  expect(openLease(budget, 2).need(30 * MIB, false)).toBe(true)
})

/** Grows answers of unknown length step by step, in random order, until all have ended. */
function growAll(
  budget: AnswerBudget,
  sizes: readonly { readonly userId: number; readonly bytes: number }[],
) {
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 48271) % 2147483647
    return seed % below
  }
  let most = 0
  const answers = sizes.map(({ userId, bytes }) => ({
    lease: openLease(budget, userId),
    userId,
    bytes,
    held: 0,
  }))
  let steps = 0
  let open = answers
  while (open.length > 0) {
    const able = open.filter(({ lease }) => !lease.isWaiting)
    const next = able[random(Math.max(1, able.length))]
    // Nobody can go on, and nobody ever will.
    if (next === undefined) return { steps, most, stuck: open.length }
    steps++
    next.held = Math.min(next.bytes, next.held + 512 * 1024)
    next.lease.need(next.held, true)
    most = Math.max(most, budget.used)
    if (next.held < next.bytes || next.lease.isWaiting) continue
    next.lease.end()
    open = open.filter((answer) => answer !== next)
  }
  return { steps, most, stuck: 0 }
}

test.each([
  ['of one user', () => 1],
  ['of two users', (at: number) => at % 2],
  ['of a user each', (at: number) => at],
])('many growing answers %s that all nearly fill the budget never wait for each other', (_, userOf) => {
  for (const limits of [
    LIMITS,
    { answerBytesMax: 16 * MIB, answersBytesMax: 24 * MIB, userAnswersBytesMax: 16 * MIB },
  ]) {
    const budget = new AnswerBudget(limits)
    const size = limits.answerBytesMax - MIB
    const sizes = Array.from({ length: 40 }, (_each, at) => ({ userId: userOf(at), bytes: size }))
    const { steps, most, stuck } = growAll(budget, sizes)
    expect(stuck).toBe(0)
    expect(steps).toBeGreaterThanOrEqual((40 * size) / (512 * 1024))
    expect(most).toBeLessThanOrEqual(limits.answersBytesMax)
    expect(budget.used).toBe(0)
  }
})

test('growing answers beside small and announced ones all end', () => {
  const budget = new AnswerBudget(LIMITS)
  const sizes = Array.from({ length: 400 }, (_, at) => ({
    userId: at % 90,
    bytes: at % 3 === 0 ? 60 * MIB : MIB,
  }))
  expect(growAll(budget, sizes)).toMatchObject({ stuck: 0 })
  expect(budget.used).toBe(0)
})
