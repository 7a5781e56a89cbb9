import { answeringServers, type TestDatabase } from '@tollgate/testkit/databases'
import type { TaskRow } from '@tollgate/store/tasks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type NotifyBench, openNotifyBench } from './notify-bench.ts'

/** Over a database server several gateways watch, tell and deliver at once: a person hears of each thing once. */
const databases = [
  { label: 'the embedded database', createDatabase: undefined },
  ...(await answeringServers()),
]

describe.each(databases)('on $label', ({ createDatabase }) => {
  let bench: NotifyBench
  /** Over the embedded database there is one gateway, which then does everything twice. */
  let nodes: readonly NotifyBench[]
  let database: TestDatabase | undefined

  beforeAll(async () => {
    database = await createDatabase?.()
    const dsn = database && { dsn: database.dsn }
    bench = await openNotifyBench(dsn)
    nodes = [bench, dsn ? await openNotifyBench({ ...dsn, beside: bench }) : bench]
  })
  afterAll(async () => {
    for (const node of new Set([...nodes].reverse())) await node.close()
    await database?.drop()
  })

  const deliver = () => Promise.all([...nodes, ...nodes].map((node) => node.worker.settle()))
  const told = () => bench.receiver.received.splice(0).map(({ text }) => JSON.parse(text))

  test('a fall that every node sees at the same time is told once', async () => {
    await bench.give(1500n)
    await bench.spend(1000n)
    const looks = [...nodes, ...nodes].map((node) => node.watcher())
    await Promise.all(looks.map((look) => look()))
    await deliver()
    for (const look of looks) await look()
    await deliver()
    expect(told()).toMatchObject([{ type: 'quota_exceed' }])
  })

  test('the end of a task that every node reports is told once, each task by itself', async () => {
    const ids = [1, 2, 3, 4, 5]
    for (const id of ids) for (const node of [...nodes, ...nodes]) node.tellTask(task(id), 'SUCCESS')
    await expect.poll(() => bench.causes()).toHaveLength(1 + ids.length)
    await deliver()
    const messages = told()
    expect(messages).toHaveLength(ids.length)
    expect(new Set(messages.map(({ values: [name] }) => name))).toEqual(new Set(ids.map(nameOf)))
    expect(new Set(messages.map(({ type }) => type))).toEqual(new Set(['task_succeeded']))
    await deliver()
    expect(told()).toEqual([])
  })

  test('what its receiver was too busy for is tried again by one of them', async () => {
    bench.receiver.statuses.push(503)
    nodes[1]?.tellTask(task(9), 'FAILURE')
    await expect.poll(async () => (await bench.causes()).at(-1)?.cause).toBe('task:9')
    await deliver()
    expect(told()).toHaveLength(1)
    bench.clock.advance(10_000)
    await deliver()
    expect(told()).toMatchObject([{ type: 'task_failed', values: [nameOf(9), 'the sky fell'] }])
    expect((await bench.causes()).every(({ state }) => state === 'done')).toBe(true)
  })
})

const nameOf = (id: number) => `there-${id}`

const OWNER = 7

/** Only what the teller reads. */
const task = (id: number): TaskRow => ({
  id,
  platform: 'mj',
  task_id: nameOf(id),
  user_id: OWNER,
  token_id: 1,
  channel_id: 1,
  request_id: null,
  action: 'IMAGINE',
  status: 'SUCCESS',
  progress: '100%',
  fail_reason: 'the sky fell',
  quota: 0n,
  submit_ms: 0,
  start_ms: 0,
  finish_ms: 0,
  deadline_ms: 0,
  secret_hash: '',
  detail: '{}',
  created_ms: 0,
  updated_ms: 0,
  version: 1,
})
