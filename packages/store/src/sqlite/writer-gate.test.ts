import { expect, it } from 'vitest'
import { WriterGate } from './writer-gate.ts'

it('lets every request pass while no transaction holds the gate', async () => {
  const gate = new WriterGate()
  const order: string[] = []
  const first = gate.pass(async () => order.push('first'))
  order.push('started at once')
  await first
  expect(order).toEqual(['first', 'started at once'])
})

it('serves waiting requests in order and lets none pass a waiting transaction', async () => {
  const gate = new WriterGate()
  const order: string[] = []
  const note = (name: string) => gate.pass(async () => void order.push(name))
  const release = await gate.hold()
  const before = note('before')
  const second = gate.hold()
  const behind = note('behind')
  release()
  release()
  const releaseSecond = await second
  await before
  expect(order).toEqual(['before'])
  const late = note('late')
  releaseSecond()
  await Promise.all([behind, late])
  expect(order).toEqual(['before', 'behind', 'late'])
})

it('stays open after a failed request', async () => {
  const gate = new WriterGate()
  const release = await gate.hold()
  const failing = gate.pass(() => Promise.reject(new Error('no')))
  const next = gate.pass(async () => 'yes')
  release()
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('yes')
})
