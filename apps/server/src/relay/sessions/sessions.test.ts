import { memoryTtlCache } from '@tollgate/coordination/memory-ttl-cache'
import { openCipher } from '@tollgate/kit/cipher'
import { ManualClock } from '@tollgate/kit/clock'
import { expect, it } from 'vitest'
import { openSessions } from './sessions.ts'

const shared = {
  ttlCache: (_name: string, options: Parameters<typeof memoryTtlCache>[0]) =>
    memoryTtlCache(options, new ManualClock()),
}
const sessions = openSessions(openCipher(Buffer.alloc(32, 7)), shared)

function find(ownerId: number, name: string): string {
  const session = sessions.find({ ownerId, headers: { 'x-session-id': name }, body: {} })
  if (typeof session !== 'string') throw new Error('a named session is found at once')
  return session
}

it('a session is a keyed hash that does not show its name', () => {
  expect(find(1, 'my-project')).toMatch(/^[\w-]{24}$/)
  expect(find(1, 'my-project')).toBe(find(1, 'my-project'))
  const other = openSessions(openCipher(Buffer.alloc(32, 8)), shared)
  expect(other.find({ ownerId: 1, headers: {}, body: { user: 'my-project' } })).not.toBe(
    find(1, 'my-project'),
  )
})

it('two owners who use the same name have different sessions', () => {
  expect(find(1, 'default')).not.toBe(find(2, 'default'))
  expect(find(1, '1\n1')).not.toBe(find(11, '1'))
})

it('a call that names no session has none', () => {
  expect(
    sessions.find({ ownerId: 1, headers: { 'user-agent': 'curl' }, body: { model: 'm' } }),
  ).toBeUndefined()
})

it('more sessions than are remembered have the same hashes again', () => {
  const first = find(1, 'first')
  for (let index = 0; index < 10_100; index++) find(1, `s${index}`)
  expect(find(1, 'first')).toBe(first)
})

function continuing(ownerId: number, previousId: string, more: object = {}) {
  return sessions.find({ ownerId, headers: {}, body: { previous_response_id: previousId, ...more } })
}

it('a call that names only the response it continues is in the session of that response', async () => {
  const session = find(1, 'named')
  sessions.note({ ownerId: 1, responseId: 'resp_1', session })
  expect(await continuing(1, 'resp_1')).toBe(session)
  expect(await continuing(1, 'resp_1', { user: 'bob' })).toBe(session)
  expect(await continuing(1, 'resp_1', { prompt_cache_key: 'own' })).toBe(find(1, 'own'))
})

it('the response of somebody else does not lead into their session', async () => {
  const session = find(1, 'named')
  sessions.note({ ownerId: 1, responseId: 'resp_2', session })
  expect(await continuing(2, 'resp_2')).not.toBe(session)
})

it('calls that continue a response of no session are in one session of their own', async () => {
  const first = String(await continuing(1, 'resp_root'))
  sessions.note({ ownerId: 1, responseId: 'resp_next', session: first })
  expect(await continuing(1, 'resp_next')).toBe(first)
  expect(await continuing(1, 'resp_root')).toBe(first)
})

it('ids of 10 KB are not remembered', async () => {
  const id = 'r'.repeat(10_240)
  sessions.note({ ownerId: 1, responseId: id, session: find(1, 'named') })
  expect(await continuing(1, id)).toBeUndefined()
})
