import { expect, it } from 'vitest'
import { Conversations } from './conversations.ts'
import { MemoryBudget } from './memory-budget.ts'

function open(parts: { bytesMax?: number; userMax?: number; allMax?: number } = {}) {
  const { bytesMax = 100_000, userMax = 1_000_000, allMax = 1_000_000 } = parts
  const budget = new MemoryBudget({ userRememberedBytesMax: userMax, allRememberedBytesMax: allMax })
  const conversations = new Conversations({ userId: 1, budget, bytesMax })
  const remember = (id: string, previousId?: string, bytes = 10) =>
    conversations.remember({ id, previousId, items: [Buffer.alloc(bytes, id)] })
  const textOf = (id: string) =>
    conversations
      .itemsOf(id)
      ?.map((item) => item.toString('utf8', 0, 1))
      .join('')
  return { conversations, budget, remember, textOf }
}

it('the items of a response come after those of the responses before it', () => {
  const { remember, textOf } = open()
  remember('a')
  remember('b', 'a')
  remember('c', 'a')
  remember('d', 'c')
  expect(['a', 'b', 'd', 'x'].map(textOf)).toEqual(['a', 'ab', 'acd', undefined])
})

it('a response whose earlier part is unknown is not remembered', () => {
  const { remember, textOf } = open()
  remember('b', 'a')
  expect(textOf('b')).toBeUndefined()
})

it('of a long conversation the last responses can be continued, and its items are counted once', () => {
  const { conversations, remember, textOf } = open()
  remember('a')
  for (let turn = 1; turn < 100; turn++)
    remember(turn === 99 ? 'z' : `${turn}`, turn === 1 ? 'a' : `${turn - 1}`)
  expect(textOf('a')).toBeUndefined()
  expect(textOf('z')).toHaveLength(100)
  expect(conversations.bytes).toBe(100 * 522)
})

it('everything is given back, whichever branch is forgotten first', () => {
  const { conversations, budget, remember } = open()
  remember('a')
  remember('b', 'a')
  remember('c', 'a')
  conversations.forget('a')
  conversations.forget('b')
  expect(budget.used).toBe(2 * 522)
  conversations.forget('c')
  conversations.forget('c')
  expect(budget.used).toBe(0)
  expect(conversations.bytes).toBe(0)
})

it('an id that comes again replaces the response, even in its own conversation', () => {
  const { conversations, budget, remember } = open()
  remember('a')
  remember('a', 'a')
  expect(conversations.itemsOf('a')).toHaveLength(2)
  conversations.clear()
  expect(budget.used).toBe(0)
})

it.each([
  ['connection', { bytesMax: 3_000 }],
  ['user', { userMax: 3_000 }],
  ['process', { allMax: 3_000 }],
])('the oldest responses are forgotten when a %s has no room', (_of, limits) => {
  const { budget, remember, textOf } = open(limits)
  for (const id of ['a', 'b', 'c', 'd']) remember(id, undefined, 600)
  expect(['a', 'b', 'c', 'd'].map(textOf)).toEqual([undefined, undefined, 'c', 'd'])
  remember('e', 'd', 5_000)
  expect(textOf('e')).toBeUndefined()
  expect(budget.used).toBe(0)
})
