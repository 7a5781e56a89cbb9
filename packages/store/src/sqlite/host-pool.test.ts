import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { EngineAnswer } from './engine.ts'
import type { EngineHost } from './host.ts'
import { ReaderPool } from './host-pool.ts'

const QUERY = { type: 'query', sql: 'select 1', parameters: [] } as const

class SlowHost implements EngineHost {
  pending = 0
  #answer: (() => void)[] = []

  send(): Promise<EngineAnswer> {
    this.pending++
    return new Promise((resolve) => {
      this.#answer.push(() => {
        this.pending--
        resolve('')
      })
    })
  }

  answerAll(): void {
    for (const answer of this.#answer.splice(0)) answer()
  }
}

async function openPool(): Promise<{ pool: ReaderPool; hosts: SlowHost[] }> {
  const hosts: SlowHost[] = []
  const pool = new ReaderPool(async () => {
    const host = new SlowHost()
    hosts.push(host)
    return host
  })
  await pool.open()
  return { pool, hosts }
}

it('one reader serves any number of short queries', async () => {
  const { pool, hosts } = await openPool()
  const all = Promise.all(Array.from({ length: 50 }, () => pool.send(QUERY)))
  expect(hosts.map((host) => host.pending)).toEqual([50])
  hosts[0]?.answerAll()
  await all
})

it('a second reader starts while the first is busy, and never a third', async () => {
  const { pool, hosts } = await openPool()
  const slow = [pool.send(QUERY)]
  await sleep(60)
  slow.push(pool.send(QUERY))
  await sleep(1)
  slow.push(pool.send(QUERY), pool.send(QUERY))
  await sleep(60)
  slow.push(pool.send(QUERY))
  await sleep(1)
  expect(hosts).toHaveLength(2)
  expect(hosts.map((host) => host.pending).toSorted((left, right) => left - right)).toEqual([2, 3])
  for (const host of hosts) host.answerAll()
  await Promise.all(slow)
})
