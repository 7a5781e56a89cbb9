import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { StoreError } from '../database/errors.ts'
import type { EngineAnswer, EngineRequest } from './engine.ts'
import type { EngineHost } from './host.ts'
import { SqlitePort } from './port.ts'

const LIMIT_MS = 30
const EMPTY: EngineAnswer = { columns: [], rows: [], changes: 0n, insertId: 0n }

/** Records the statements it receives, and fails the one that the test names. */
class NotingHost implements EngineHost {
  readonly pending = 0
  readonly asked: string[] = []
  failing = ''

  async send(request: EngineRequest): Promise<EngineAnswer> {
    const text = request.type === 'query' ? request.sql : request.type
    this.asked.push(text)
    if (text === this.failing) throw new StoreError('constraint', `${text} failed`)
    return EMPTY
  }
}

let writer: NotingHost
let port: SqlitePort
beforeEach(() => {
  writer = new NotingHost()
  port = new SqlitePort(writer, undefined, LIMIT_MS)
})

describe('a transaction', () => {
  it('a transaction that stays open too long is rolled back, and waiting writes continue', async () => {
    const session = await port.begin()
    const waiting = port.write('waiting', [])
    await sleep(LIMIT_MS + 20)
    await waiting
    expect(writer.asked).toEqual(['begin immediate', 'rollback', 'waiting'])
    await expect(session.write('late', [])).rejects.toThrow(`open for ${LIMIT_MS} ms was rolled back`)
    await expect(session.commit()).rejects.toThrow('was rolled back')
    await session.rollback()
    expect(writer.asked).not.toContain('late')
  })

  it('a transaction that ends in time is not rolled back', async () => {
    const session = await port.begin()
    await session.write('inside', [])
    await session.commit()
    await sleep(LIMIT_MS + 20)
    expect(writer.asked).toEqual(['begin immediate', 'inside', 'commit'])
  })

  it('a transaction whose commit fails is rolled back before any other write', async () => {
    writer.failing = 'commit'
    const session = await port.begin()
    const waiting = port.write('waiting', [])
    await expect(session.commit()).rejects.toThrow('commit failed')
    await waiting
    expect(writer.asked).toEqual(['begin immediate', 'commit', 'rollback', 'waiting'])
  })

  it('a transaction that cannot begin leaves the gate open', async () => {
    writer.failing = 'begin immediate'
    await expect(port.begin()).rejects.toThrow('begin immediate failed')
    await port.write('next', [])
    expect(writer.asked).toEqual(['begin immediate', 'next'])
  })
})

it('reads go to the readers if there are any', async () => {
  const readers = new NotingHost()
  port = new SqlitePort(writer, readers)
  await port.read('a read', [])
  await port.write('a write', [])
  expect({ readers: readers.asked, writer: writer.asked }).toEqual({
    readers: ['a read'],
    writer: ['a write'],
  })
})
