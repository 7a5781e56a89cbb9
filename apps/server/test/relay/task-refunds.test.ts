import { ManualClock } from '@tollgate/kit/clock'
import { countOpenTasks } from '@tollgate/store/operations/tasks'
import { answeringServers, type TestDatabase } from '@tollgate/testkit/databases'
import { openTaskUpstream } from '@tollgate/testkit/fake-task-upstream'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { applyUpdate, failTask, type TaskUpdatePorts } from '../../src/tasks/apply-update.ts'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { GIVEN, IMAGINE, openTaskHarness, pollAt, PRICE, type TaskHarness } from './task-harness.ts'

/**
 * The end of a task refunds its price exactly once, however many nodes report it and however often, on every
 * database.
 */
const databases = [
  { label: 'the embedded database', createMigrated: undefined },
  ...(await answeringServers()),
]

const HOUR_MS = 3_600_000

/** Task updates as upstreams send them. */
const failure = (id: string) => ({ id, status: 'FAILURE', progress: '100%', failReason: 'no' })
const success = (id: string) => ({ id, status: 'SUCCESS', progress: '100%' })

describe.each(databases)('on $label', ({ createMigrated }) => {
  const clock = new ManualClock()
  let at: TaskHarness
  /** Another gateway over the same database; with the embedded database it is the same one. */
  let other: RelayHarness
  let database: TestDatabase | undefined

  beforeAll(async () => {
    database = await createMigrated?.()
    const dsn = database && { dsn: database.dsn }
    at = await openTaskHarness({ clock, models: 'mj_imagine,mj_inpaint,mj_modal', ...dsn })
    other = dsn === undefined ? at.harness : await openRelayHarness({ clock, ...dsn })
  })
  afterAll(async () => {
    expect(await at.harness.ledger.audit()).toMatchObject({ findings: [] })
    if (other !== at.harness) await other.close()
    await at.close()
    await database?.drop()
  })
  afterEach(async () => {
    expect(await at.harness.openHolds()).toBe(0)
  })

  /** A drawing of an imported database: its charge has no ledger entry. */
  async function handedOver(): Promise<{ id: string; userId: number }> {
    const { id, userId } = await at.drawing()
    const { id: row } = await at.taskRow(id)
    await at.harness.db.updateTable('tasks').set({ request_id: null }).where('id', '=', row).execute()
    return { id, userId }
  }

  function careOf(
    credit: TaskUpdatePorts['ledger']['credit'] = (input) => at.harness.ledger.credit(input),
  ): TaskUpdatePorts {
    const { db, ledger } = at.harness
    const log = { warn: () => undefined, error: () => undefined }
    return {
      db,
      ledger: { refund: (input) => ledger.refund(input), credit },
      clock,
      log,
      notifier: at.harness.taskCare.notifier,
    }
  }

  /** Both nodes poll twice, all concurrently. */
  const allPoll = () => Promise.all([at.harness, other, at.harness, other].map(pollAt))
  const endsOf = (id: string) =>
    [...new Set([at.harness, other])].flatMap(({ ended }) => ended.filter(({ taskId }) => taskId === id))
  /** Notices queued for the owner in the same transaction as the end of the task. */
  const toldOf = async (id: string) => {
    const { id: row } = await at.taskRow(id)
    const queued = await at.harness.db
      .selectFrom('outbox')
      .select('payload')
      .where('cause', '=', `task:${row}`)
      .execute()
    return queued.map(({ payload }) => payload)
  }
  const logRows = async (userId: number) =>
    (await at.harness.logs()).filter(({ user_id, type }) => user_id === userId && type === 6)

  async function expectOneRefund({ id, userId }: { id: string; userId: number }): Promise<void> {
    expect(await at.taskRow(id)).toMatchObject({ status: 'FAILURE', progress: '100%' })
    expect(await at.refunds(userId)).toHaveLength(1)
    expect(await at.harness.balance(userId)).toMatchObject({ remaining: GIVEN, used: 0n })
    expect(endsOf(id)).toEqual([{ taskId: id, outcome: 'FAILURE' }])
    expect(await toldOf(id)).toEqual(['FAILURE'])
    expect(await logRows(userId)).toMatchObject([
      { quota: PRICE, content: '', other: expect.stringContaining('"event":"task_refunded"') },
    ])
  }

  describe('updates of tasks', () => {
    it('a task follows the status of the upstream, but never backward', async () => {
      const { id, bearer } = await at.drawing()
      at.reported({ id, status: 'IN_PROGRESS', progress: '40%', startTime: 5 })
      await at.poll()
      at.reported({ id, status: 'SUBMITTED', progress: '10%' })
      await at.poll()
      expect(await at.taskRow(id)).toMatchObject({ status: 'IN_PROGRESS', progress: '40%', start_ms: 5 })
      at.reported({
        id,
        status: 'SUCCESS',
        progress: '100%',
        promptEn: 'one cat',
        buttons: [{ customId: 'b' }],
      })
      await at.poll()
      expect(await at.get(`/mj/task/${id}/fetch`, bearer)).toMatchObject({
        json: { id, status: 'SUCCESS', progress: '100%', promptEn: 'one cat', buttons: [{ customId: 'b' }] },
      })
      expect(at.harness.ended.filter(({ taskId }) => taskId === id)).toEqual([
        { taskId: id, outcome: 'SUCCESS' },
      ])
    })

    it('a failed task is refunded once, with two nodes polling concurrently', async () => {
      const { id, userId } = await at.drawing()
      at.reported({ id, status: 'FAILURE', progress: '100%', failReason: 'the sky fell' })
      await allPoll()
      expect(await at.taskRow(id)).toMatchObject({ fail_reason: 'the sky fell' })
      await expectOneRefund({ id, userId })
      await allPoll()
      await expectOneRefund({ id, userId })
    })

    it('a failure reported by the upstream also cancels the operator’s cost, and a lost task does not', async () => {
      const setting = JSON.stringify({ cost_ratio: '0.8' })
      await at.harness.addChannel(at.upstream.url, { type: 2, models: 'mj_blend', setting })
      const blend = async () => {
        const who = await at.caller()
        const id = at.newId()
        at.upstream.answer('/mj/submit/blend', { body: { code: 1, result: id } })
        await at.post('/mj/submit/blend', who.bearer, { base64Array: [] })
        return { ...who, id }
      }
      const [failed, lost] = [await blend(), await blend()]
      expect((await at.get(`/mj/task/${failed.id}/fetch`, failed.bearer)).text).not.toContain('booked')
      at.reported(failure(failed.id), { id: lost.id, status: 'IN_PROGRESS', progress: '5%' })
      await at.poll()
      await failTask(careOf(), await at.taskRow(lost.id), { reason: 'too late' })
      const common = { quota: PRICE, model_name: 'mj_blend', group_name: 'default', token_name: 'cli' }
      expect(await logRows(failed.userId)).toMatchObject([{ ...common, cost: (PRICE * 8n) / 10n }])
      expect(await logRows(lost.userId)).toMatchObject([{ ...common, cost: 0n }])
    })

    it('an imported task is refunded once, and cannot succeed while the refund is in progress', async () => {
      const { id, userId } = await handedOver()
      const paid = (await at.remaining(userId)) ?? 0n
      const done = {
        status: 'SUCCESS',
        progress: 100,
        failReason: '',
        startMs: undefined,
        finishMs: undefined,
        detail: {},
      } as const
      const care = careOf(async (input) => {
        const credited = await at.harness.ledger.credit(input)
        // Another node reports the task's success before this one has written its failure.
        expect(await applyUpdate(careOf(), await at.taskRow(id), done)).toBe('failed')
        return credited
      })
      expect(await failTask(care, await at.taskRow(id), { reason: 'too late' })).toBe('late')
      expect(await at.taskRow(id)).toMatchObject({ status: 'FAILURE', fail_reason: 'too late' })
      expect((await at.taskRow(id)).detail).not.toContain('failing')
      expect(await at.remaining(userId)).toBe(paid + PRICE)
    })

    it('an imported task whose node died before the refund is refunded by the next poll', async () => {
      const { id, userId } = await handedOver()
      const paid = (await at.remaining(userId)) ?? 0n
      const dead = careOf(() => Promise.reject(new Error('the node ended here')))
      await expect(failTask(dead, await at.taskRow(id), { reason: 'too late' })).rejects.toThrow('ended here')
      at.reported(success(id))
      await allPoll()
      expect(await at.taskRow(id)).toMatchObject({ status: 'FAILURE', fail_reason: 'too late' })
      expect(await at.remaining(userId)).toBe(paid + PRICE)
    })

    it('unknown tasks in an upstream response do not stop the update of the others', async () => {
      const { id } = await at.drawing()
      at.reported(
        { id: 'foreign', status: 'SUCCESS' },
        { no: 'id' },
        { id, status: 'IN_PROGRESS', progress: '7%' },
      )
      await at.poll()
      expect(await at.taskRow(id)).toMatchObject({ progress: '7%' })
    })

    it('a task is refunded once the upstream has not known it in 20 consecutive polls', async () => {
      const { id, userId } = await at.drawing()
      at.reported()
      for (let times = 0; times < 19; times++) await at.poll()
      at.reported({ id, status: 'SUBMITTED', progress: '1%' })
      await at.poll()
      at.reported()
      for (let times = 0; times < 19; times++) await at.poll()
      expect(await at.taskRow(id)).toMatchObject({ status: 'SUBMITTED' })
      await at.poll()
      expect(await at.taskRow(id)).toMatchObject({
        status: 'FAILURE',
        fail_reason: 'the upstream knows it no longer',
      })
      expect(await at.remaining(userId)).toBe(GIVEN)
    })

    it('700 stuck tasks do not keep a newer one from being polled', async () => {
      const { id: _id, ...first } = await at.taskRow((await at.drawing()).id)
      const stuck = Array.from({ length: 700 }, (_, index) => ({
        ...first,
        request_id: null,
        task_id: `stuck-${index}`,
        quota: 0n,
      }))
      for (let from = 0; from < stuck.length; from += 100)
        await at.harness.db
          .insertInto('tasks')
          .values(stuck.slice(from, from + 100))
          .execute()
      const { id } = await at.drawing()
      at.reported({ id, status: 'IN_PROGRESS', progress: '9%' })
      await at.poll()
      expect(await at.taskRow(id)).toMatchObject({ progress: '9%' })
      await at.harness.db.deleteFrom('tasks').where('task_id', 'like', 'stuck-%').execute()
    })

    it('a task continues while its channel is disabled, and is refunded when the channel is deleted', async () => {
      const channelId = await at.harness.addChannel(at.upstream.url, { type: 2, models: 'mj_shorten' })
      const { bearer, userId } = await at.caller()
      const id = at.newId()
      at.upstream.answer('/mj/submit/shorten', { body: { code: 1, result: id } })
      await at.post('/mj/submit/shorten', bearer, { prompt: 'x' })
      await at.harness.db.updateTable('channels').set({ status: 2 }).where('id', '=', channelId).execute()
      await at.harness.notices.publish({ entity: 'channels' })
      at.reported({ id, status: 'IN_PROGRESS', progress: '50%' })
      await at.poll()
      expect(await at.taskRow(id)).toMatchObject({ progress: '50%', status: 'IN_PROGRESS' })
      expect(await at.post('/mj/submit/modal', bearer, { taskId: id })).toMatchObject({
        json: { description: 'The channel of this task is disabled' },
      })
      await at.harness.db.deleteFrom('channels').where('id', '=', channelId).execute()
      await at.harness.notices.publish({ entity: 'channels' })
      await at.poll()
      expect(await at.taskRow(id)).toMatchObject({ status: 'FAILURE', fail_reason: 'its channel is gone' })
      expect(await at.remaining(userId)).toBe(GIVEN)
    })
  })

  describe('callbacks', () => {
    it('a callback updates its task, and a failure refunds it', async () => {
      const { id, hook, userId } = await at.called()
      expect(await at.call(hook, { id, status: 'IN_PROGRESS', progress: '30%' })).toMatchObject({
        status: 200,
      })
      expect(await at.taskRow(id)).toMatchObject({ progress: '30%' })
      await at.call(hook, { id, status: 'FAILURE', progress: '100%', failReason: 'no' })
      expect(await at.remaining(userId)).toBe(GIVEN)
    })

    it('a callback with an older status changes nothing and refunds nothing', async () => {
      const { id, hook, userId } = await at.called()
      const failure = { id, status: 'FAILURE', progress: '100%', failReason: 'no' }
      await at.call(hook, failure)
      for (const progress of ['0%', '50%']) {
        const answer = await at.call(hook, { id, status: 'IN_PROGRESS', progress })
        expect(answer.json).toEqual({ code: 1, description: 'nothing new' })
        at.reported(failure)
        await at.poll()
        await at.call(hook, failure)
      }
      expect(await at.taskRow(id)).toMatchObject({ status: 'FAILURE', progress: '100%' })
      expect(await at.refunds(userId)).toHaveLength(1)
      expect(await at.remaining(userId)).toBe(GIVEN)
    })

    it('a callback is refused with the secret of another task, a wrong secret, no secret, or an API token instead', async () => {
      const mine = await at.called()
      const other = await at.called()
      const update = { id: mine.id, status: 'FAILURE', progress: '100%' }
      expect((await at.call(other.hook, update)).status).toBe(400)
      expect((await at.call(mine.hook.replace(/secret=.*/, 'secret=guess'), update)).status).toBe(400)
      expect((await at.call('/mj/notify', update)).status).toBe(400)
      expect((await at.post('/mj/notify', other.bearer, update)).status).toBe(400)
      expect(await at.taskRow(mine.id)).toMatchObject({ status: 'NOT_START' })
      expect(await at.remaining(mine.userId)).toBe(GIVEN - PRICE)
    })

    it('a callback supplies the upstream id of a submission whose response was lost', async () => {
      const { bearer } = await at.called()
      at.upstream.answer(IMAGINE, { status: 504, bytes: Buffer.from('gateway time-out') })
      await at.post(IMAGINE, bearer, { prompt: 'x' })
      const sent = at.upstream.asked.findLast(({ path }) => path === IMAGINE)?.body
      const hook = new URL(String(Object(sent).notifyHook))
      const id = at.newId()
      await at.call(hook.pathname + hook.search, { id, status: 'IN_PROGRESS', progress: '5%' })
      expect(await at.taskRow(id)).toMatchObject({ status: 'IN_PROGRESS', progress: '5%' })
    })
  })

  describe('contradictory upstreams', () => {
    it('a finished task cannot fail later: nothing is refunded', async () => {
      const { id, hook, userId } = await at.called()
      at.reported(success(id))
      await allPoll()
      at.reported(failure(id))
      await allPoll()
      await at.call(hook, failure(id))
      expect(await at.taskRow(id)).toMatchObject({ status: 'SUCCESS', fail_reason: '' })
      expect(await at.refunds(userId)).toEqual([])
      expect(await at.remaining(userId)).toBe(GIVEN - PRICE)
      expect(endsOf(id)).toEqual([{ taskId: id, outcome: 'SUCCESS' }])
    })

    it('a failed task neither succeeds later nor fails a second time', async () => {
      const { id, userId } = await at.drawing()
      for (const update of [
        failure(id),
        success(id),
        { id, status: 'SUBMITTED', progress: '0%' },
        failure(id),
      ]) {
        at.reported(update)
        await allPoll()
      }
      await expectOneRefund({ id, userId })
    })

    it('a task listed twice in one response, as success and as failure, ends once', async () => {
      const { id, userId } = await at.drawing()
      at.reported(success(id), failure(id))
      await allPoll()
      const { status } = await at.taskRow(id)
      expect(await at.refunds(userId)).toHaveLength(status === 'FAILURE' ? 1 : 0)
      expect(endsOf(id)).toEqual([{ taskId: id, outcome: status }])
    })

    it('invalid responses change nothing', async () => {
      const { id, userId } = await at.drawing()
      const nonsense = [
        { body: 'not a list' },
        { body: [null, 5, [], { id: 7 }, { id, status: 'EXPLODED', progress: 'a lot' }] },
        { body: [{ id, status: { toString: 1 }, progress: -40, startTime: 'x' }] },
        { bytes: Buffer.from('<html>oops') },
        { status: 500 },
        { isCut: true },
      ]
      for (const answer of nonsense) {
        at.upstream.answer('/mj/task/list-by-condition', answer)
        await allPoll()
      }
      expect(await at.taskRow(id)).toMatchObject({ status: 'NOT_START', progress: '0%' })
      expect(await at.refunds(userId)).toEqual([])
    })

    it('a task that was never charged is not refunded', async () => {
      const who = await at.caller()
      const id = at.newId()
      const refusal = { code: 23, description: 'the queue is full', result: id }
      at.upstream.answer(IMAGINE, { body: refusal })
      await at.post(IMAGINE, who.bearer, { prompt: 'x' })
      at.reported(failure(id))
      await allPoll()
      clock.advance(2 * HOUR_MS)
      await allPoll()
      expect(await at.refunds(who.userId)).toEqual([])
      expect(await at.harness.balance(who.userId)).toMatchObject({ granted: GIVEN, remaining: GIVEN })
    })
  })

  describe('task ids of other users', () => {
    it('a stranger can neither read nor change a task by its id', async () => {
      const mine = await at.called()
      const { bearer: stranger } = await at.caller()
      const path = `/mj/task/${mine.id}`
      expect((await at.get(`${path}/fetch`, stranger)).json).toMatchObject({ description: 'task_no_found' })
      expect((await at.get(`${path}/image-seed`, stranger)).json).not.toHaveProperty('result')
      const list = (bearer: string) => at.post('/mj/task/list-by-condition', bearer, { ids: [mine.id] })
      expect((await list(stranger)).text).toBe('[]')
      expect((await list(mine.bearer)).text).toContain(mine.id)
      expect((await at.post('/mj/submit/modal', stranger, { taskId: mine.id })).status).toBe(400)
      expect(await at.taskRow(mine.id)).toMatchObject({ status: 'NOT_START' })
    })

    it('tasks of two upstreams with the same id are kept apart', async () => {
      const first = await at.drawing()
      const second = await openTaskUpstream()
      await at.harness.addChannel(second.url, { type: 2, models: 'mj_describe', key: 'secret-2' })
      const who = await at.caller()
      second.answer('/mj/submit/describe', { body: { code: 1, result: first.id } })
      await at.post('/mj/submit/describe', who.bearer, { base64: 'x' })
      at.reported({ id: first.id, status: 'SUCCESS', progress: '100%' })
      second.answer('/mj/task/list-by-condition', {
        body: [{ id: first.id, status: 'FAILURE', progress: '100%', failReason: 'no' }],
      })
      await allPoll()
      expect(await at.refunds(first.userId)).toEqual([])
      expect(await at.refunds(who.userId)).toHaveLength(1)
      await second.close()
    })
  })

  describe('concurrent updates', () => {
    it('callbacks and the pollers of two nodes end a task once', async () => {
      const { id, userId, hook } = await at.called()
      const said = { id, status: 'FAILURE', progress: '100%' }
      at.reported({ ...said, failReason: 'the sky fell' })
      const open = await countOpenTasks(at.harness.db)
      await Promise.all([allPoll(), at.call(hook, said), at.call(hook, said)])
      await expectOneRefund({ id, userId })
      expect((await countOpenTasks(at.harness.db)).count).toBeLessThan(open.count)
    })

    it('contradictory updates end a task one way, with the matching charge or refund', async () => {
      for (let round = 0; round < 5; round++) {
        const { id, userId, hook } = await at.called()
        at.reported({ id, status: 'SUCCESS', progress: '100%' })
        await Promise.all([allPoll(), at.call(hook, { id, status: 'FAILURE', progress: '100%' })])
        const { status } = await at.taskRow(id)
        expect(await at.refunds(userId)).toHaveLength(status === 'FAILURE' ? 1 : 0)
        expect(endsOf(id)).toEqual([{ taskId: id, outcome: status }])
      }
    })

    it('a failure that arrives at the deadline gives one refund', async () => {
      const { id, userId, hook } = await at.called()
      at.reported({ id, status: 'IN_PROGRESS', progress: '99%' })
      clock.advance(HOUR_MS)
      await Promise.all([allPoll(), at.call(hook, { id, status: 'FAILURE', progress: '100%' })])
      await expectOneRefund({ id, userId })
    })
  })
})
