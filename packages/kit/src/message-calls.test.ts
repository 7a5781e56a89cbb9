import { expect, it } from 'vitest'
import { type MessageCalls, messageCalls } from './message-calls.ts'

const errors = {
  encode: (error: unknown) => (error instanceof Error ? error.message : String(error)),
  decode: (wire: unknown) => new RangeError(String(wire)),
}

/** Two connected ends that copy their messages, as an IPC channel does. */
function pair() {
  const posted: unknown[] = []
  const near: MessageCalls = messageCalls({
    post: (message) => {
      posted.push(message)
      far.receive(structuredClone(message))
    },
    errors,
  })
  const far: MessageCalls = messageCalls({
    post: (message) => near.receive(structuredClone(message)),
    errors,
  })
  return { near, far, posted }
}

it('calls work in both directions, with values of every kind', async () => {
  const { near, far } = pair()
  far.serve('double', (input) => Number(input) * 2)
  near.serve('name', async () => ({ big: 2n ** 60n, bytes: new Uint8Array([1]) }))
  expect(await near.call('double', 21)).toBe(42)
  expect(await far.call('name')).toEqual({ big: 2n ** 60n, bytes: new Uint8Array([1]) })
})

it('each caller gets its own answer, in whatever order the answers arrive', async () => {
  const { near, far } = pair()
  far.serve('wait', async (turns) => {
    for (let i = 0; i < Number(turns); i++) await Promise.resolve()
    return turns
  })
  expect(await Promise.all([5, 1, 3].map((turns) => near.call('wait', turns)))).toEqual([5, 1, 3])
})

it('calls of one event loop turn are sent as one message', async () => {
  const { near, far, posted } = pair()
  far.serve('echo', (input) => input)
  await Promise.all(Array.from({ length: 50 }, (_, index) => near.call('echo', index)))
  expect(posted).toHaveLength(1)
})

it('a call rejects with the decoded error, also when the name has no handler', async () => {
  const { near, far } = pair()
  far.serve('fail', () => {
    throw new Error('no room')
  })
  await expect(near.call('fail')).rejects.toThrow(new RangeError('no room'))
  await expect(near.call('unknown')).rejects.toThrow('unknown')
})

it('pending and later calls reject when the other side is gone', async () => {
  const { near, far } = pair()
  far.serve('never', () => new Promise(() => undefined))
  const waiting = near.call('never')
  near.end(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  await expect(near.call('never')).rejects.toThrow('gone')
})

it('messages of other senders are ignored', () => {
  const { near } = pair()
  for (const message of [undefined, null, 'text', { cmd: 'NODE_CLUSTER' }])
    expect(near.receive(message)).toBe(false)
})
