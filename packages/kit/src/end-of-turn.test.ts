import { createServer, connect } from 'node:net'
import { once } from 'node:events'
import assert from 'node:assert/strict'
import process from 'node:process'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { afterEndOfTurn, atEndOfTurn } from './end-of-turn.ts'

test('tasks run in their order, those after the end last, and after what the others resolved', async () => {
  const seen: string[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  afterEndOfTurn(() => seen.push('after'))
  atEndOfTurn(() => seen.push('first'))
  atEndOfTurn(() => {
    seen.push('second')
    resolve()
  })
  const wait = async () => {
    await promise
    seen.push('resolved')
    afterEndOfTurn(() => seen.push('added after'))
    atEndOfTurn(() => seen.push('added first'))
  }
  const waited = wait()
  expect(seen).toEqual([])
  await nextTurn()
  await waited
  expect(seen).toEqual(['first', 'second', 'resolved', 'after', 'added after'])
  await nextTurn()
  await nextTurn()
  expect(seen.at(-1)).toBe('added first')
})

test('everything that is readable is read before a task runs', async () => {
  const seen: string[] = []
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.on('data', (bytes) => {
      const text = bytes.toString()
      seen.push(text)
      atEndOfTurn(() => seen.push(`end of ${text}`))
      afterEndOfTurn(() => seen.push(`after ${text}`))
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  assert(address !== null && typeof address === 'object')
  const sockets = [connect(address.port, '127.0.0.1'), connect(address.port, '127.0.0.1')]
  await expect.poll(() => connections).toBe(sockets.length)
  for (const [at, socket] of sockets.entries()) socket.write(String(at))
  await expect.poll(() => seen.length).toBe(6)
  expect(seen).toEqual(['0', '1', 'end of 0', 'end of 1', 'after 0', 'after 1'])
  for (const socket of sockets) socket.destroy()
  server.close()
})

test('a task that throws does not keep the others from running', async () => {
  const seen: string[] = []
  const thrown: unknown[] = []
  const listeners = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  process.once('uncaughtException', (error) => thrown.push(error.message))
  try {
    atEndOfTurn(() => {
      throw new Error('a bug')
    })
    atEndOfTurn(() => seen.push('other'))
    afterEndOfTurn(() => seen.push('after'))
    await expect.poll(() => seen.length).toBe(2)
    expect(thrown).toEqual(['a bug'])
  } finally {
    for (const listener of listeners) process.on('uncaughtException', listener)
  }
})
