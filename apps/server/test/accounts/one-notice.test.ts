import { answeringServers, type TestDatabase } from '@tollgate/testkit/databases'
import { insertFreeTask, type TaskRow } from '@tollgate/store/operations/tasks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyUpdate, failTask, type TaskUpdatePorts } from '../../src/tasks/apply-update.ts'
import { type NotifyHarness, openNotifyHarness } from './notify-harness.ts'

/**
 * On a database server several gateways watch balances, queue and deliver notices at the same time; a user
 * must get each notice once.
 */
const databases = [
  { label: 'the embedded database', createMigrated: undefined },
  ...(await answeringServers()),
]

describe.each(databases)('on $label', ({ createMigrated }) => {
  let harness: NotifyHarness
  /** The embedded database allows one gateway, so that one does everything twice. */
  let nodes: readonly NotifyHarness[]
  let database: TestDatabase | undefined

  beforeAll(async () => {
    database = await createMigrated?.()
    const dsn = database && { dsn: database.dsn }
    harness = await openNotifyHarness(dsn)
    nodes = [harness, dsn ? await openNotifyHarness({ ...dsn, beside: harness }) : harness]
  })
  afterAll(async () => {
    for (const node of new Set([...nodes].reverse())) await node.close()
    await database?.drop()
  })

  const deliver = () => Promise.all([...nodes, ...nodes].map((node) => node.worker.settle()))
  const reported = () => harness.receiver.received.splice(0).map(({ text }) => JSON.parse(text))

  test('a fall of the balance that every node sees at the same time is reported once', async () => {
    await harness.give(1500n)
    await harness.spend(1000n)
    const looks = [...nodes, ...nodes].map((node) => node.watcher())
    await Promise.all(looks.map((look) => look()))
    await deliver()
    for (const look of looks) await look()
    await deliver()
    expect(reported()).toMatchObject([{ type: 'quota_exceed' }])
  })

  test('the end of a task that every node reports is notified once, each task separately', async () => {
    const tasks = await Promise.all([1, 2, 3, 4, 5].map(handedIn))
    for (const task of tasks)
      await Promise.all([...nodes, ...nodes].map((node) => applyUpdate(careOf(node), task, DONE)))
    expect(await harness.causes()).toHaveLength(1 + tasks.length)
    await deliver()
    const messages = reported()
    expect(messages).toHaveLength(tasks.length)
    expect(new Set(messages.map(({ values: [name] }) => name))).toEqual(
      new Set(tasks.map(({ task_id: name }) => name)),
    )
    expect(new Set(messages.map(({ type }) => type))).toEqual(new Set(['task_succeeded']))
    await deliver()
    expect(reported()).toEqual([])
  })

  test.each(['SUCCESS', 'FAILURE'] as const)(
    'the owner is notified although the node died the moment the task ended, %s',
    async (outcome) => {
      const task = await handedIn(outcome === 'SUCCESS' ? 6 : 7)
      const dying = careOf(harness, () => {
        throw new Error('the node ended here')
      })
      const end = () =>
        outcome === 'SUCCESS'
          ? applyUpdate(dying, task, DONE)
          : failTask(dying, task, { reason: 'the sky fell' })
      await expect(end()).rejects.toThrow('ended here')
      expect(await rowOf(task.id)).toMatchObject({ status: outcome })
      await deliver()
      expect(reported()).toMatchObject([{ values: expect.arrayContaining([task.task_id]) }])
      expect(await applyUpdate(careOf(nodes.at(-1) ?? harness), await rowOf(task.id), DONE)).toBe('nothing')
      await deliver()
      expect(reported()).toEqual([])
    },
  )

  test('a task whose end fails to commit sends no notice, and the end and its notice commit only together', async () => {
    const task = await handedIn(8)
    const moved = { ...task, version: task.version - 1 }
    expect(await applyUpdate(careOf(harness), moved, DONE)).toBe('late')
    const broken = careOf(harness)
    const noticeOf = async () => ({
      cause: `task:${task.id}`,
      kind: 'webhook',
      payload: '',
      dueMs: 1e30,
      nowMs: 0,
    })
    const unqueued = { ...broken, notifier: { ...broken.notifier, noticeOf } }
    await expect(applyUpdate(unqueued, task, DONE)).rejects.toThrow()
    expect(await rowOf(task.id)).toMatchObject({ status: 'IN_PROGRESS', version: task.version })
    await deliver()
    expect(reported()).toEqual([])
  })

  test('a notice that a busy receiver refused is retried by one of the nodes', async () => {
    harness.receiver.statuses.push(503)
    const task = await handedIn(9)
    await failTask(careOf(nodes.at(-1) ?? harness), task, { reason: 'the sky fell' })
    expect((await harness.causes()).at(-1)?.cause).toBe(`task:${task.id}`)
    await deliver()
    expect(reported()).toHaveLength(1)
    harness.clock.advance(10_000)
    await deliver()
    expect(reported()).toMatchObject([{ type: 'task_failed', values: [task.task_id, 'the sky fell'] }])
    expect((await harness.causes()).every(({ state }) => state === 'done')).toBe(true)
  })

  const rowOf = (id: number) =>
    harness.store.db.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  /** Adds a running task of the owner that cost nothing. */
  async function handedIn(number: number): Promise<TaskRow> {
    const name = `there-${number}`
    await insertFreeTask(harness.store.db, { ...NEW_TASK, task_id: name })
    return harness.store.db
      .selectFrom('tasks')
      .selectAll()
      .where('task_id', '=', name)
      .executeTakeFirstOrThrow()
  }
})

function careOf({ store, ledger, clock, notifier }: NotifyHarness, ended = notifier.ended): TaskUpdatePorts {
  const log = { warn: () => undefined, error: () => undefined }
  return { db: store.db, ledger, clock, log, notifier: { ...notifier, ended } }
}

const DONE = {
  status: 'SUCCESS',
  progress: 100,
  failReason: '',
  startMs: undefined,
  finishMs: undefined,
  detail: {},
} as const

const OWNER = 7

const NEW_TASK = {
  platform: 'mj',
  user_id: OWNER,
  token_id: 1,
  channel_id: 1,
  request_id: null,
  action: 'IMAGINE',
  status: 'IN_PROGRESS',
  progress: '50%',
  fail_reason: '',
  submit_ms: 0,
  start_ms: 0,
  finish_ms: 0,
  deadline_ms: 0,
  secret_hash: '',
  detail: '{}',
  created_ms: 0,
  updated_ms: 0,
}
