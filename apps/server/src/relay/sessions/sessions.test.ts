import { openCipher } from '@tollgate/kit/cipher'
import { expect, it } from 'vitest'
import { openSessions } from './sessions.ts'

const sessions = openSessions(openCipher(Buffer.alloc(32, 7)))
const find = (ownerId: number, name: string) =>
  sessions.find({ ownerId, headers: { 'x-session-id': name }, body: {} })

it('a session is a keyed hash that does not show its name', () => {
  expect(find(1, 'my-project')).toMatch(/^[\w-]{24}$/)
  expect(find(1, 'my-project')).toBe(find(1, 'my-project'))
  const other = openSessions(openCipher(Buffer.alloc(32, 8)))
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
