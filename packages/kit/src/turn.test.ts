import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import process from 'node:process'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inStage } from './turn.ts'

test('the stages follow each other in one turn, each after what the one before resolved', async () => {
  const seen: string[] = []
  const handled = Promise.withResolvers<void>()
  const written = Promise.withResolvers<void>()
  inStage('send', () => seen.push('send'))
  inStage('write', () => {
    seen.push('write')
    written.resolve()
  })
  inStage('handle', () => {
    seen.push('handle')
    handled.resolve()
  })
  const call = async () => {
    await handled.promise
    inStage('write', () => seen.push('write of the call'))
    await written.promise
    inStage('send', () => seen.push('send of the call'))
    inStage('handle', () => seen.push('handle in the next turn'))
  }
  const called = call()
  expect(seen).toEqual([])
  await nextTurn()
  await called
  const stages = ['handle', 'write', 'write of the call', 'send', 'send of the call']
  expect(seen).toEqual(stages)
  await nextTurn()
  expect(seen).toEqual([...stages, 'handle in the next turn'])
})

test('everything that is readable is read before a task runs', async () => {
  const seen: string[] = []
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.on('data', (bytes) => {
      const text = bytes.toString()
      seen.push(text)
      inStage('handle', () => seen.push(`handle ${text}`))
      inStage('send', () => seen.push(`send ${text}`))
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  assert(address !== null && typeof address === 'object')
  const sockets = [connect(address.port, '127.0.0.1'), connect(address.port, '127.0.0.1')]
  await expect.poll(() => connections).toBe(sockets.length)
  for (const [at, socket] of sockets.entries()) socket.write(String(at))
  await expect.poll(() => seen.length).toBe(6)
  expect(seen).toEqual(['0', '1', 'handle 0', 'handle 1', 'send 0', 'send 1'])
  for (const socket of sockets) socket.destroy()
  server.close()
})

test('a task that throws keeps no other from its stage', async () => {
  const seen: string[] = []
  const thrown: string[] = []
  const listeners = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  process.once('uncaughtException', ({ message }) => thrown.push(message))
  try {
    inStage('handle', () => {
      throw new Error('a bug')
    })
    inStage('handle', () => seen.push('handle'))
    inStage('send', () => seen.push('send'))
    await expect.poll(() => seen.length).toBe(2)
    expect(seen).toEqual(['handle', 'send'])
    expect(thrown).toEqual(['a bug'])
  } finally {
    for (const listener of listeners) process.on('uncaughtException', listener)
  }
})
