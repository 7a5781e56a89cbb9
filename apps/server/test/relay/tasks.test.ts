import { ManualClock } from '@tollgate/kit/clock'
import { countOpenTasks } from '@tollgate/store/tasks'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { pollTasks } from '../../src/jobs/poll-tasks.ts'
import { openRelayBench, type RelayBench } from './bench.ts'
import { type TestDatabase, answeringServers } from '@tollgate/testkit/databases'
import { openTaskUpstream, type TaskUpstream } from '@tollgate/testkit/fake-task-upstream'

const IMAGINE = '/mj/submit/imagine'
const MUSIC = '/suno/submit/MUSIC'
const LIST = '/mj/task/list-by-condition'
const PRICE = 50_000n
const HOUR_MS = 3_600_000
const PICTURE = Buffer.from('\x89PNG\r\n\x1a\nrest of a picture', 'latin1')

let bench: RelayBench
let upstream: TaskUpstream
const clock = new ManualClock()
const servers = await answeringServers()

beforeAll(async () => {
  bench = await openRelayBench({ clock })
  upstream = await openTaskUpstream()
  const models = 'mj_imagine,mj_inpaint,mj_upscale,mj_variation,mj_modal,mj_describe,mj_upload,swap_face'
  await bench.addChannel(upstream.url, { type: 2, models, key: 'secret-1' })
  await bench.addChannel(upstream.url, { type: 36, models: 'suno_music,suno_lyrics', key: 'song-key' })
})
afterAll(async () => {
  expect(await bench.ledger.audit()).toMatchObject({ findings: [] })
  await upstream.close()
  await bench.close()
})
afterEach(async () => {
  expect(await bench.openHolds()).toBe(0)
})

let ids = 0
const newId = () => `1718${++ids}`

const caller = (quota = 1_000_000n) => bench.addCaller({ quota })
const post = (path: string, bearer: string, body: unknown = {}) => bench.send({ path, bearer, body })
const get = (path: string, bearer?: string) =>
  bench.send({ method: 'GET', path, ...(bearer !== undefined && { bearer }) })
const poll = () => pollTasks({ ...bench, ...bench.taskCare, log: bench.log, egress: bench.egress })
const taskRow = (taskId: string) =>
  bench.db
    .selectFrom('tasks')
    .selectAll()
    .where('task_id', '=', taskId)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
const remaining = async (userId: number) => (await bench.balance(userId))?.remaining
const refunds = async (userId: number) =>
  bench.db
    .selectFrom('entry')
    .selectAll()
    .where('kind', '=', 'refund')
    .where('user_acct', '=', userId * 4)
    .execute()

/** A drawing of a new caller's, on its way at the upstream. */
async function drawing() {
  const who = await caller()
  const id = newId()
  upstream.answer(IMAGINE, { body: { code: 1, description: 'Submit success', result: id, properties: {} } })
  const answer = await post(IMAGINE, who.bearer, { prompt: 'a cat' })
  return { ...who, id, answer }
}
const told = (...items: readonly object[]) => upstream.answer(LIST, { body: items })

/** A drawing whose upstream was told where to call back. */
async function called() {
  await bench.setOption('ServerAddress', 'http://gateway.test')
  await bench.setOption('MjNotifyEnabled', 'true')
  const made = await drawing()
  const sent = upstream.asked.findLast(({ path }) => path === IMAGINE)?.body
  const hook = new URL(String(Object(sent).notifyHook))
  return { ...made, hook: hook.pathname + hook.search }
}
const call = (path: string, body: unknown) => bench.send({ path, body })

async function drawn(answer: { bytes?: Buffer; type?: string; location?: string; status?: number }) {
  const made = await drawing()
  const path = `/images/${made.id}.png`
  upstream.answer(path, answer)
  told({ id: made.id, status: 'SUCCESS', progress: '100%', imageUrl: upstream.url + path })
  await poll()
  const { json } = await get(`/mj/task/${made.id}/fetch`, made.bearer)
  const shown = new URL(String(json['imageUrl']))
  return { ...made, path: shown.pathname + shown.search }
}

async function song() {
  const who = await caller()
  const id = `song-${newId()}`
  upstream.answer(MUSIC, { body: { code: 'success', message: '', data: id } })
  const answer = await post('/suno/submit/music', who.bearer, { gpt_description_prompt: 'a waltz' })
  return { ...who, id, answer }
}

describe('submitting', () => {
  it('charges the fixed price on acceptance, and keeps the task with it', async () => {
    const { userId, id, answer } = await drawing()
    expect(answer).toMatchObject({ status: 200, json: { code: 1, result: id } })
    expect(await remaining(userId)).toBe(1_000_000n - PRICE)
    expect(await taskRow(id)).toMatchObject({
      platform: 'mj',
      action: 'IMAGINE',
      status: 'NOT_START',
      progress: '0%',
      quota: PRICE,
      user_id: userId,
    })
    const sent = upstream.asked.findLast(({ path }) => path === IMAGINE)
    expect(sent?.headers['mj-api-secret']).toBe('secret-1')
    const log = (await bench.logs()).at(-1)
    expect(log).toMatchObject({ type: 2, model_name: 'mj_imagine', quota: PRICE })
    expect(log?.content).toBe(`模型固定价格 0.10，分组倍率 1.00，操作 IMAGINE，ID ${id}`)
  })

  it('12.5 costs nothing when the upstream refuses, and keeps what it said', async () => {
    const { userId, bearer } = await caller()
    upstream.answer(IMAGINE, { body: { code: 24, description: 'banned prompt', result: 'gore' } })
    const answer = await post(IMAGINE, bearer, { prompt: 'gore' })
    expect(answer).toMatchObject({
      status: 400,
      json: { code: 24, description: 'banned prompt gore', type: 'upstream_error' },
    })
    expect(await remaining(userId)).toBe(1_000_000n)
    const [row] = await bench.db.selectFrom('tasks').selectAll().where('user_id', '=', userId).execute()
    expect(row).toMatchObject({ status: 'FAILURE', quota: 0n, fail_reason: 'banned prompt gore' })
  })

  it('is refused before the upstream hears of it when the balance does not cover it', async () => {
    const { bearer } = await caller(PRICE - 1n)
    const before = upstream.asked.length
    const answer = await post(IMAGINE, bearer, { prompt: 'a cat' })
    expect(answer).toMatchObject({ status: 400, json: { code: 4, description: 'quota_not_enough' } })
    expect(upstream.asked.length).toBe(before)
  })

  it.each([
    [IMAGINE, {}, 'prompt_is_required'],
    ['/mj/submit/change', { action: 'UPSCALE', index: 1 }, 'task_id_is_required'],
    ['/mj/submit/change', { taskId: 'x' }, 'action_is_required'],
    ['/mj/submit/change', { taskId: 'x', action: 'UPSCALE' }, 'index_is_required'],
    ['/mj/submit/simple-change', { content: 'nonsense' }, 'content_parse_failed'],
    ['/mj/submit/action', { taskId: 'x' }, 'custom_id_is_required'],
    ['/mj/submit/action', { taskId: 'x', customId: 'MJ::JOB' }, 'unknown_action:MJ::JOB'],
    ['/mj/submit/change', { taskId: 'nobody', action: 'REROLL' }, 'task_no_found'],
  ])('%s %j is refused as %s', async (path, body, description) => {
    const { bearer, userId } = await caller()
    expect(await post(path, bearer, body)).toMatchObject({ status: 400, json: { code: 4, description } })
    expect(await remaining(userId)).toBe(1_000_000n)
  })

  it('WEAKNESS: an upstream that has the drawing already is paid once, not for every repeated call', async () => {
    const { userId, bearer } = await caller()
    const id = newId()
    const properties = { status: 'SUCCESS', imageUrl: 'https://there.example/a.png' }
    upstream.answer(IMAGINE, { body: { code: 21, description: 'exists', result: id, properties } })
    for (let times = 0; times < 3; times++)
      expect(await post(IMAGINE, bearer, { prompt: 'a cat' })).toMatchObject({
        json: { code: 1, result: id },
      })
    expect(await remaining(userId)).toBe(1_000_000n - PRICE)
    const rows = await bench.db.selectFrom('tasks').selectAll().where('task_id', '=', id).execute()
    expect(rows).toMatchObject([{ status: 'SUCCESS', progress: '100%' }])
  })

  it('WEAKNESS: of an answer that never came the task is kept, and paid back at its deadline', async () => {
    const { userId, bearer } = await caller()
    upstream.answer(IMAGINE, { isCut: true })
    const answer = await post(IMAGINE, bearer, { prompt: 'a cat' })
    expect(answer.status).toBe(504)
    const id = String(answer.json['result'])
    expect(await taskRow(id)).toMatchObject({ status: 'UNKNOWN', quota: PRICE })
    expect(await remaining(userId)).toBe(1_000_000n - PRICE)
    told()
    await poll()
    expect(await remaining(userId)).toBe(1_000_000n - PRICE)
    clock.advance(HOUR_MS)
    await poll()
    expect(await taskRow(id)).toMatchObject({ status: 'FAILURE' })
    expect(await remaining(userId)).toBe(1_000_000n)
  })

  it('tries another channel only when nothing came into being at the first', async () => {
    const second = await openTaskUpstream()
    const models = 'mj_blend'
    await bench.addChannel(upstream.url, { type: 2, models, priority: 5 })
    const other = await bench.addChannel(second.url, { type: 5, models })
    await bench.setOption('RetryTimes', '3')
    const { bearer } = await caller()
    const id = newId()
    upstream.answer('/mj/submit/blend', { body: { code: 23, description: 'queue full' } })
    second.answer('/mj/submit/blend', { body: { code: 22, description: 'queued', result: id } })
    expect(await post('/mj/submit/blend', bearer)).toMatchObject({ json: { code: 1, result: id } })
    expect(await taskRow(id)).toMatchObject({ channel_id: other })
    await second.close()
  })

  it('cuts a fast mode for this gateway, passes another on, and knows no mode but these', async () => {
    const { bearer } = await caller()
    for (const [asked, path] of [
      ['/mj-fast/mj/submit/imagine', IMAGINE],
      ['/relax/mj/submit/imagine', '/relax/mj/submit/imagine'],
    ] as const) {
      upstream.answer(path, { body: { code: 1, result: newId() } })
      expect((await post(asked, bearer, { prompt: 'x' })).status).toBe(200)
      expect(upstream.asked.at(-1)?.path).toBe(path)
    }
    expect((await post('/mj/submit/unheard-of', bearer, {})).status).toBe(404)
  })

  it('takes what the operator does not pass on out of the body', async () => {
    const { bearer } = await caller()
    const body = {
      prompt: 'x --fast --ar 1:1',
      accountFilter: { modes: [] },
      notifyHook: 'https://me.example',
    }
    upstream.answer(IMAGINE, { body: { code: 1, result: newId() } })
    await post(IMAGINE, bearer, body)
    expect(upstream.asked.at(-1)?.body).toEqual({ prompt: 'x --fast --ar 1:1' })
    await bench.setOption('MjAccountFilterEnabled', 'true')
    await bench.setOption('MjModeClearEnabled', 'true')
    await post(IMAGINE, bearer, body)
    expect(upstream.asked.at(-1)?.body).toEqual({ prompt: 'x --ar 1:1', accountFilter: { modes: [] } })
  })
})

describe('going on from a drawing', () => {
  it('needs its success, stays on its channel and takes its prompt', async () => {
    const { bearer, id } = await drawing()
    const change = { taskId: id, action: 'UPSCALE', index: 2 }
    expect(await post('/mj/submit/change', bearer, change)).toMatchObject({
      json: { description: 'task_status_not_success' },
    })
    told({ id, status: 'SUCCESS', progress: '100%', imageUrl: 'https://there.example/b.png' })
    await poll()
    const next = newId()
    upstream.answer('/mj/submit/change', { body: { code: 1, result: next } })
    expect(await post('/mj/submit/change', bearer, change)).toMatchObject({ status: 200 })
    expect(await taskRow(next)).toMatchObject({ action: 'UPSCALE', quota: PRICE / 2n })
    expect(await get(`/mj/task/${next}/fetch`, bearer)).toMatchObject({ json: { prompt: 'a cat' } })
  })

  it('WEAKNESS: simple-change has an action, a model and a price', async () => {
    const { bearer, id } = await drawing()
    told({ id, status: 'SUCCESS', progress: '100%' })
    await poll()
    const next = newId()
    upstream.answer('/mj/submit/simple-change', { body: { code: 1, result: next } })
    expect(await post('/mj/submit/simple-change', bearer, { content: `${id} V2` })).toMatchObject({
      status: 200,
    })
    expect(await taskRow(next)).toMatchObject({ action: 'VARIATION', quota: PRICE })
  })

  it('12.5 opens a window for nothing, and charges what is done in it', async () => {
    const { userId, bearer, id } = await drawing()
    told({ id, status: 'SUCCESS', progress: '100%' })
    await poll()
    const before = await remaining(userId)
    const next = newId()
    upstream.answer('/mj/submit/action', { body: { code: 21, description: 'window', result: next } })
    const customId = 'MJ::Inpaint::1::x::SOLO'
    expect(await post('/mj/submit/action', bearer, { taskId: id, customId })).toMatchObject({
      json: { code: 21 },
    })
    expect(await remaining(userId)).toBe(before)
    upstream.answer('/mj/submit/modal', { body: { code: 1, result: next } })
    expect((await post('/mj/submit/modal', bearer, { taskId: next, prompt: 'a hat' })).status).toBe(200)
    expect(await remaining(userId)).toBe((before ?? 0n) - PRICE)
  })

  it('is nobody else’s to do', async () => {
    const { id } = await drawing()
    const stranger = await caller()
    expect(await get(`/mj/task/${id}/fetch`, stranger.bearer)).toMatchObject({
      json: { description: 'task_no_found' },
    })
    expect(await post('/mj/submit/modal', stranger.bearer, { taskId: id })).toMatchObject({
      json: { description: 'task_no_found' },
    })
  })
})

describe('what becomes of tasks', () => {
  it('moves on as the upstream says, and never back', async () => {
    const { id, bearer } = await drawing()
    told({ id, status: 'IN_PROGRESS', progress: '40%', startTime: 5 })
    await poll()
    told({ id, status: 'SUBMITTED', progress: '10%' })
    await poll()
    expect(await taskRow(id)).toMatchObject({ status: 'IN_PROGRESS', progress: '40%', start_ms: 5 })
    told({ id, status: 'SUCCESS', progress: '100%', promptEn: 'one cat', buttons: [{ customId: 'b' }] })
    await poll()
    expect(await get(`/mj/task/${id}/fetch`, bearer)).toMatchObject({
      json: { id, status: 'SUCCESS', progress: '100%', promptEn: 'one cat', buttons: [{ customId: 'b' }] },
    })
    expect(bench.ended.filter(({ taskId }) => taskId === id)).toEqual([{ taskId: id, outcome: 'SUCCESS' }])
  })

  it('12.5 are refunded once by pollers at a time, on every account', async () => {
    const { id, userId } = await drawing()
    told({ id, status: 'FAILURE', progress: '100%', failReason: 'the sky fell' })
    await Promise.all([poll(), poll(), poll()])
    expect(await taskRow(id)).toMatchObject({ status: 'FAILURE', fail_reason: 'the sky fell' })
    expect(await refunds(userId)).toHaveLength(1)
    expect(await bench.balance(userId)).toMatchObject({ remaining: 1_000_000n, used: 0n })
    expect(bench.ended.filter(({ taskId }) => taskId === id)).toHaveLength(1)
    await poll()
    expect(await refunds(userId)).toHaveLength(1)
    const rows = (await bench.logs()).filter(({ user_id, type }) => user_id === userId && type === 6)
    expect(rows).toMatchObject([{ quota: PRICE, content: `构图失败 ${id}，补偿 ${PRICE}` }])
  })

  it('12.16 an upstream that names tasks nobody asked for stops nothing', async () => {
    const { id } = await drawing()
    told({ id: 'foreign', status: 'SUCCESS' }, { no: 'id' }, { id, status: 'IN_PROGRESS', progress: '7%' })
    await poll()
    expect(await taskRow(id)).toMatchObject({ progress: '7%' })
  })

  it('are refunded when the upstream knows them no longer, and not for one answer without them', async () => {
    const { id, userId } = await drawing()
    told()
    for (let times = 0; times < 19; times++) await poll()
    told({ id, status: 'SUBMITTED', progress: '1%' })
    await poll()
    told()
    for (let times = 0; times < 19; times++) await poll()
    expect(await taskRow(id)).toMatchObject({ status: 'SUBMITTED' })
    await poll()
    expect(await taskRow(id)).toMatchObject({
      status: 'FAILURE',
      fail_reason: 'the upstream knows it no longer',
    })
    expect(await remaining(userId)).toBe(1_000_000n)
  })

  it('12.19 that are stuck, however many, keep no newer one from being looked at', async () => {
    const { id: _id, ...first } = await taskRow((await drawing()).id)
    const stuck = Array.from({ length: 700 }, (_, index) => ({
      ...first,
      request_id: null,
      task_id: `stuck-${index}`,
      quota: 0n,
    }))
    for (let from = 0; from < stuck.length; from += 100)
      await bench.db
        .insertInto('tasks')
        .values(stuck.slice(from, from + 100))
        .execute()
    const { id } = await drawing()
    told({ id, status: 'IN_PROGRESS', progress: '9%' })
    await poll()
    expect(await taskRow(id)).toMatchObject({ progress: '9%' })
    await bench.db.deleteFrom('tasks').where('task_id', 'like', 'stuck-%').execute()
  })

  it('12.6 go on when their channel is disabled, and are refunded when it is deleted', async () => {
    const channelId = await bench.addChannel(upstream.url, { type: 2, models: 'mj_shorten' })
    const { bearer, userId } = await caller()
    const id = newId()
    upstream.answer('/mj/submit/shorten', { body: { code: 1, result: id } })
    await post('/mj/submit/shorten', bearer, { prompt: 'x' })
    await bench.db.updateTable('channels').set({ status: 2 }).where('id', '=', channelId).execute()
    await bench.notices.publish({ entity: 'channels' })
    told({ id, status: 'IN_PROGRESS', progress: '50%' })
    await poll()
    expect(await taskRow(id)).toMatchObject({ progress: '50%', status: 'IN_PROGRESS' })
    expect(await post('/mj/submit/modal', bearer, { taskId: id })).toMatchObject({
      json: { description: 'The channel of this task is disabled' },
    })
    await bench.db.deleteFrom('channels').where('id', '=', channelId).execute()
    await bench.notices.publish({ entity: 'channels' })
    await poll()
    expect(await taskRow(id)).toMatchObject({ status: 'FAILURE', fail_reason: 'its channel is gone' })
    expect(await remaining(userId)).toBe(1_000_000n)
  })
})

describe('callbacks', () => {
  it('move their own task forward, and fail it with its one refund', async () => {
    const { id, hook, userId } = await called()
    expect(await call(hook, { id, status: 'IN_PROGRESS', progress: '30%' })).toMatchObject({ status: 200 })
    expect(await taskRow(id)).toMatchObject({ progress: '30%' })
    await call(hook, { id, status: 'FAILURE', progress: '100%', failReason: 'no' })
    expect(await remaining(userId)).toBe(1_000_000n)
  })

  it('WEAKNESS: backward ones change nothing, so nothing is refunded again', async () => {
    const { id, hook, userId } = await called()
    const failure = { id, status: 'FAILURE', progress: '100%', failReason: 'no' }
    await call(hook, failure)
    for (const progress of ['0%', '50%']) {
      const answer = await call(hook, { id, status: 'IN_PROGRESS', progress })
      expect(answer.json).toEqual({ code: 1, description: 'nothing new' })
      told(failure)
      await poll()
      await call(hook, failure)
    }
    expect(await taskRow(id)).toMatchObject({ status: 'FAILURE', progress: '100%' })
    expect(await refunds(userId)).toHaveLength(1)
    expect(await remaining(userId)).toBe(1_000_000n)
  })

  it('12.14 foreign ones are refused: another task’s, one without a secret, one by a mere token', async () => {
    const mine = await called()
    const other = await called()
    const news = { id: mine.id, status: 'FAILURE', progress: '100%' }
    expect((await call(other.hook, news)).status).toBe(400)
    expect((await call(mine.hook.replace(/secret=.*/, 'secret=guess'), news)).status).toBe(400)
    expect((await call('/mj/notify', news)).status).toBe(400)
    expect((await post('/mj/notify', other.bearer, news)).status).toBe(400)
    expect(await taskRow(mine.id)).toMatchObject({ status: 'NOT_START' })
    expect(await remaining(mine.userId)).toBe(1_000_000n - PRICE)
  })

  it('give a name to a submission of which nobody knew whether it was taken', async () => {
    const { bearer } = await called()
    upstream.answer(IMAGINE, { status: 504, bytes: Buffer.from('gateway time-out') })
    await post(IMAGINE, bearer, { prompt: 'x' })
    const sent = upstream.asked.findLast(({ path }) => path === IMAGINE)?.body
    const hook = new URL(String(Object(sent).notifyHook))
    const id = newId()
    await call(hook.pathname + hook.search, { id, status: 'IN_PROGRESS', progress: '5%' })
    expect(await taskRow(id)).toMatchObject({ status: 'IN_PROGRESS', progress: '5%' })
  })
})

describe('images', () => {
  it('come from here, as attachments that nobody runs', async () => {
    const { path } = await drawn({ bytes: PICTURE, type: 'text/html' })
    const answer = await get(path)
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'image/png',
        'x-content-type-options': 'nosniff',
        'content-disposition': 'attachment; filename="drawing.png"',
      },
    })
  })

  it.each([
    ['a script', { bytes: Buffer.from('alert(1)'), type: 'image/png' }],
    ['a page', { bytes: Buffer.from('<html><script>alert(1)</script>'), type: 'image/png' }],
    ['a drawing that may hold scripts', { bytes: Buffer.from('<svg onload="x()"/>'), type: 'image/svg+xml' }],
    ['nothing', { status: 404, bytes: Buffer.from('gone') }],
    ['an address in a private network', { status: 302, location: 'http://10.0.0.1/a.png' }],
  ])('WEAKNESS: %s is never served', async (_name, answer) => {
    const { path } = await drawn(answer)
    expect((await get(path)).status).toBe(502)
  })

  it('12.14 an id alone, or another’s mark, opens nothing', async () => {
    const { path, id } = await drawn({ bytes: PICTURE })
    const other = await drawn({ bytes: PICTURE })
    const mark = new URL(other.path, 'http://x').searchParams.get('key') ?? ''
    expect((await get(`/mj/image/${id}`)).status).toBe(400)
    expect((await get(`/mj/image/${id}?key=${mark}`)).status).toBe(400)
    expect((await get(path)).status).toBe(200)
  })

  it('are the upstream’s own where the operator wants that', async () => {
    await bench.setOption('MjForwardUrlEnabled', 'false')
    const made = await drawing()
    told({ id: made.id, status: 'SUCCESS', progress: '100%', imageUrl: 'https://there.example/c.png' })
    await poll()
    expect((await get(`/mj/task/${made.id}/fetch`, made.bearer)).json['imageUrl']).toBe(
      'https://there.example/c.png',
    )
    await bench.setOption('MjForwardUrlEnabled', 'true')
  })
})

describe('songs', () => {
  it('are handed in, looked after and shown', async () => {
    const { id, answer, bearer, userId } = await song()
    expect(answer.json).toEqual({ code: 'success', message: '', data: id })
    expect(upstream.asked.findLast(({ path }) => path === MUSIC)).toMatchObject({
      body: { gpt_description_prompt: 'a waltz', mv: 'chirp-v3-0' },
      headers: { authorization: 'Bearer song-key' },
    })
    expect(await remaining(userId)).toBe(1_000_000n - PRICE)
    const data = [{ title: 'Waltz', audio_url: 'https://there.example/w.mp3' }]
    upstream.answer('/suno/fetch', {
      body: { code: 'success', data: [{ task_id: id, status: 'SUCCESS', start_time: 1_718_000_000, data }] },
    })
    await poll()
    expect((await get(`/suno/fetch/${id}`, bearer)).json).toMatchObject({
      code: 'success',
      data: {
        task_id: id,
        action: 'MUSIC',
        status: 'SUCCESS',
        progress: '100%',
        start_time: 1_718_000_000,
        data,
      },
    })
    expect((await post('/suno/fetch', bearer, { ids: [id, 'foreign'] })).json).toMatchObject({
      data: [{ task_id: id }],
    })
  })

  it('are paid back when they fail, and after a day of silence', async () => {
    const failing = await song()
    const silent = await song()
    upstream.answer('/suno/fetch', {
      body: {
        code: 'success',
        data: [{ task_id: failing.id, status: 'FAILURE', fail_reason: 'out of tune' }],
      },
    })
    await poll()
    expect(await remaining(failing.userId)).toBe(1_000_000n)
    expect(await remaining(silent.userId)).toBe(1_000_000n - PRICE)
    upstream.answer('/suno/fetch', { status: 500 })
    clock.advance(24 * HOUR_MS)
    await poll()
    expect(await remaining(silent.userId)).toBe(1_000_000n)
  })

  it.each([
    ['/suno/submit/lyrics', {}, 400, 'prompt_empty'],
    ['/suno/submit/dance', {}, 400, 'invalid_action'],
    ['/suno/submit/music', { task_id: 'nobody' }, 400, 'task_not_exist'],
  ])('%s %j is refused as %s', async (path, body, status, code) => {
    const { bearer } = await caller()
    const answer = await post(path, bearer, body)
    expect(answer).toMatchObject({ status, json: { code, data: null } })
  })

  it('WEAKNESS: reading is for every token, whatever models it is for', async () => {
    const { bearer } = await bench.addCaller({ token: { model_limits_enabled: 1, model_limits: 'gpt-4o' } })
    expect((await post('/suno/fetch', bearer, { ids: [] })).status).toBe(200)
    const refused = await post('/suno/submit/music', bearer, { prompt: 'x' })
    expect(refused).toMatchObject({ status: 403, json: { code: 'model_not_allowed' } })
  })
})

it('WEAKNESS: the keys of a channel take turns, and each task stays with its own', async () => {
  await bench.addChannel(upstream.url, { type: 2, models: 'mj_describe', key: 'one\ntwo', priority: 9 })
  const { bearer } = await caller()
  const secrets = new Set<unknown>()
  for (let times = 0; times < 2; times++) {
    const id = newId()
    upstream.answer('/mj/submit/describe', { body: { code: 1, result: id } })
    await post('/mj/submit/describe', bearer, { base64: 'x' })
    const secret = upstream.asked.at(-1)?.headers['mj-api-secret']
    secrets.add(secret)
    upstream.answer(`/mj/task/${id}/image-seed`, { body: { code: 1, result: '42' } })
    expect((await get(`/mj/task/${id}/image-seed`, bearer)).json).toMatchObject({ result: '42' })
    expect(upstream.asked.at(-1)?.headers['mj-api-secret']).toBe(secret)
  }
  expect(secrets).toEqual(new Set(['one', 'two']))
})

describe.each(servers)('on $label', ({ createDatabase }) => {
  let embedded: RelayBench
  let database: TestDatabase

  beforeAll(async () => {
    embedded = bench
    database = await createDatabase()
    bench = await openRelayBench({ clock, dsn: database.dsn })
    await bench.addChannel(upstream.url, { type: 2, models: 'mj_imagine', key: 'secret-1' })
  })
  afterAll(async () => {
    await bench.close()
    bench = embedded
    await database.drop()
  })

  it('tasks are charged once, refunded once by pollers at a time, and never moved back', async () => {
    const { id, userId, hook } = await called()
    expect(await remaining(userId)).toBe(1_000_000n - PRICE)
    expect(await countOpenTasks(bench.db)).toEqual({ count: 1, oldestMs: expect.any(Number) })
    told({ id, status: 'FAILURE', progress: '100%', failReason: 'the sky fell' })
    await Promise.all([poll(), poll(), call(hook, { id, status: 'FAILURE', progress: '100%' })])
    await call(hook, { id, status: 'IN_PROGRESS', progress: '0%' })
    await poll()
    expect(await taskRow(id)).toMatchObject({ status: 'FAILURE', progress: '100%' })
    expect(await refunds(userId)).toHaveLength(1)
    expect(await bench.balance(userId)).toMatchObject({ remaining: 1_000_000n, used: 0n })
    expect(bench.ended).toEqual([{ taskId: id, outcome: 'FAILURE' }])
    expect(await countOpenTasks(bench.db)).toEqual({ count: 0, oldestMs: undefined })
    expect(await bench.ledger.audit()).toMatchObject({ findings: [] })
  })
})
