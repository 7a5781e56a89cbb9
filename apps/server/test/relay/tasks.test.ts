import { problem } from '@tollgate/problems/problem'
import { ManualClock } from '@tollgate/kit/clock'
import { openTaskUpstream } from '@tollgate/testkit/fake-task-upstream'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openConnectProxy } from './connect-proxy.ts'
import { IMAGINE, MUSIC, openTaskHarness, PRICE, type TaskHarness } from './task-harness.ts'

const HOUR_MS = 3_600_000
const PICTURE = Buffer.from('\x89PNG\r\n\x1a\nrest of a picture', 'latin1')
const MODELS =
  'mj_imagine,mj_inpaint,mj_upscale,mj_variation,mj_modal,mj_describe,mj_upload,mj_video,swap_face'

let at: TaskHarness
const clock = new ManualClock()

beforeAll(async () => {
  at = await openTaskHarness({ clock, models: MODELS })
})
afterAll(async () => {
  expect(await at.harness.ledger.audit()).toMatchObject({ findings: [] })
  await at.close()
})
afterEach(async () => {
  expect(await at.harness.openHolds()).toBe(0)
})

describe('submitting', () => {
  it('an accepted task is charged its fixed price and stored', async () => {
    const { userId, id, answer } = await at.drawing()
    expect(answer).toMatchObject({ status: 200, json: { code: 1, result: id } })
    expect(await at.remaining(userId)).toBe(1_000_000n - PRICE)
    expect(await at.taskRow(id)).toMatchObject({
      platform: 'mj',
      action: 'IMAGINE',
      status: 'NOT_START',
      progress: '0%',
      quota: PRICE,
      user_id: userId,
    })
    const sent = at.upstream.asked.findLast(({ path }) => path === IMAGINE)
    expect(sent?.headers['mj-api-secret']).toBe('secret-1')
    const log = (await at.harness.logs()).at(-1)
    expect(log).toMatchObject({ type: 2, model_name: 'mj_imagine', quota: PRICE })
    expect(log?.content).toBe('')
    expect(JSON.parse(log?.other ?? '{}')).toMatchObject({
      event: 'task_charged',
      model_price: 0.1,
      group_ratio: 1,
      action: 'IMAGINE',
      platform: 'mj',
      task_id: id,
    })
  })

  it('a task that the upstream refuses costs nothing and keeps the reason', async () => {
    const { userId, bearer } = await at.caller()
    at.upstream.answer(IMAGINE, { body: { code: 24, description: 'banned prompt', result: 'gore' } })
    const answer = await at.post(IMAGINE, bearer, { prompt: 'gore' })
    expect(answer).toMatchObject({
      status: 400,
      json: { code: 24, description: 'banned prompt gore', type: 'upstream_error' },
    })
    expect(await at.remaining(userId)).toBe(1_000_000n)
    const [row] = await at.harness.db.selectFrom('tasks').selectAll().where('user_id', '=', userId).execute()
    expect(row).toMatchObject({ status: 'FAILURE', quota: 0n, fail_reason: 'banned prompt gore' })
  })

  it('the price of a task is reported to the caller where the site reports costs', async () => {
    await at.harness.setOption('billing_setting.report_cost', 'header')
    const { answer } = await at.drawing()
    expect(answer.headers['x-tollgate-cost']).toBe(String(Number(PRICE) / 500_000))
    const { bearer } = await at.caller()
    at.upstream.answer(IMAGINE, { body: { code: 24, description: 'banned prompt', result: 'gore' } })
    const refused = await at.post(IMAGINE, bearer, { prompt: 'gore' })
    expect([refused.status, refused.headers['x-tollgate-cost']]).toEqual([400, '0'])
    await at.harness.setOption('billing_setting.report_cost', 'off')
  })

  it('a refusal by the gateway is stored with its code and parameters beside the text', async () => {
    await at.harness.addChannel('http://127.0.0.1:1', { type: 2, models: 'mj_shorten' })
    const { userId, bearer } = await at.caller()
    await at.post('/mj/submit/shorten', bearer, { prompt: 'a cat' })
    const [row] = await at.harness.db.selectFrom('tasks').selectAll().where('user_id', '=', userId).execute()
    expect(row).toMatchObject({ status: 'FAILURE', fail_reason: problem('do_request_failed').textIn('en') })
    expect(JSON.parse(row?.detail ?? '{}')).toMatchObject({
      problem: { code: 'do_request_failed', parameters: {} },
    })
  })

  it('only a task that the upstream accepts counts against the limit of successful calls', async () => {
    await at.harness.setOption('ModelRequestRateLimitSuccessCount', '1')
    await at.harness.setOption('ModelRequestRateLimitEnabled', 'true')
    const { bearer } = await at.caller()
    const submit = () => at.post(IMAGINE, bearer, { prompt: 'a cat' })
    at.upstream.answer(IMAGINE, { body: { code: 24, description: 'banned prompt', result: 'cat' } })
    expect((await submit()).status).toBe(400)
    expect((await at.post(IMAGINE, bearer, {})).status).toBe(400)
    const body = { code: 1, description: 'Submit success', result: at.newId(), properties: {} }
    at.upstream.answer(IMAGINE, { body })
    expect((await submit()).status).toBe(200)
    expect(await submit()).toMatchObject({ status: 429, json: { type: 'upstream_error' } })
    await at.harness.setOption('ModelRequestRateLimitEnabled', 'false')
  })

  it('a task that the balance does not cover is refused without calling the upstream', async () => {
    const { bearer } = await at.caller(PRICE - 1n)
    const before = at.upstream.asked.length
    const answer = await at.post(IMAGINE, bearer, { prompt: 'a cat' })
    expect(answer).toMatchObject({ status: 400, json: { code: 4, description: 'quota_not_enough' } })
    expect(at.upstream.asked.length).toBe(before)
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
  ])('the song request %s %j is refused as %s', async (path, body, description) => {
    const { bearer, userId } = await at.caller()
    expect(await at.post(path, bearer, body)).toMatchObject({ status: 400, json: { code: 4, description } })
    expect(await at.remaining(userId)).toBe(1_000_000n)
  })

  it('a drawing that the upstream already has is charged once, not at every repeated call', async () => {
    const { userId, bearer } = await at.caller()
    const id = at.newId()
    const properties = { status: 'SUCCESS', imageUrl: 'https://there.example/a.png' }
    at.upstream.answer(IMAGINE, { body: { code: 21, description: 'exists', result: id, properties } })
    for (let times = 0; times < 3; times++)
      expect(await at.post(IMAGINE, bearer, { prompt: 'a cat' })).toMatchObject({
        json: { code: 1, result: id },
      })
    expect(await at.remaining(userId)).toBe(1_000_000n - PRICE)
    const rows = await at.harness.db.selectFrom('tasks').selectAll().where('task_id', '=', id).execute()
    expect(rows).toMatchObject([{ status: 'SUCCESS', progress: '100%' }])
  })

  it('a task whose submission got no response is kept, and refunded at its deadline', async () => {
    const { userId, bearer } = await at.caller()
    at.upstream.answer(IMAGINE, { isCut: true })
    const answer = await at.post(IMAGINE, bearer, { prompt: 'a cat' })
    expect(answer.status).toBe(504)
    const id = String(answer.json['result'])
    expect(await at.taskRow(id)).toMatchObject({ status: 'UNKNOWN', quota: PRICE })
    expect(await at.remaining(userId)).toBe(1_000_000n - PRICE)
    at.reported()
    await at.poll()
    expect(await at.remaining(userId)).toBe(1_000_000n - PRICE)
    clock.advance(HOUR_MS)
    await at.poll()
    expect(await at.taskRow(id)).toMatchObject({ status: 'FAILURE' })
    expect(await at.remaining(userId)).toBe(1_000_000n)
  })

  it('another channel is tried when the first one did not create a task', async () => {
    const second = await openTaskUpstream()
    const models = 'mj_blend'
    await at.harness.addChannel(at.upstream.url, { type: 2, models, priority: 5 })
    const other = await at.harness.addChannel(second.url, { type: 5, models })
    await at.harness.setOption('RetryTimes', '3')
    const { bearer } = await at.caller()
    const id = at.newId()
    at.upstream.answer('/mj/submit/blend', { body: { code: 23, description: 'queue full' } })
    second.answer('/mj/submit/blend', { body: { code: 22, description: 'queued', result: id } })
    expect(await at.post('/mj/submit/blend', bearer)).toMatchObject({ json: { code: 1, result: id } })
    expect(await at.taskRow(id)).toMatchObject({ channel_id: other })
    await second.close()
  })

  it('the mj-fast prefix is removed, other modes are forwarded, and an unknown action is 404', async () => {
    const { bearer } = await at.caller()
    for (const [asked, path] of [
      ['/mj-fast/mj/submit/imagine', IMAGINE],
      ['/relax/mj/submit/imagine', '/relax/mj/submit/imagine'],
    ] as const) {
      at.upstream.answer(path, { body: { code: 1, result: at.newId() } })
      expect((await at.post(asked, bearer, { prompt: 'x' })).status).toBe(200)
      expect(at.upstream.asked.at(-1)?.path).toBe(path)
    }
    expect((await at.post('/mj/submit/unheard-of', bearer, {})).status).toBe(404)
  })

  it('members that the operator does not forward are removed from the body', async () => {
    const { bearer } = await at.caller()
    const body = {
      prompt: 'x --fast --ar 1:1',
      accountFilter: { modes: [] },
      notifyHook: 'https://me.example',
    }
    at.upstream.answer(IMAGINE, { body: { code: 1, result: at.newId() } })
    await at.post(IMAGINE, bearer, body)
    expect(at.upstream.asked.at(-1)?.body).toEqual({ prompt: 'x --fast --ar 1:1' })
    await at.harness.setOption('MjAccountFilterEnabled', 'true')
    await at.harness.setOption('MjModeClearEnabled', 'true')
    await at.post(IMAGINE, bearer, body)
    expect(at.upstream.asked.at(-1)?.body).toEqual({ prompt: 'x --ar 1:1', accountFilter: { modes: [] } })
  })
})

it('a pinned channel does not draw with a model that the token may not use', async () => {
  const [channel] = at.harness.snapshots.roster().all()
  const limited = { model_limits_enabled: 1, model_limits: 'mj_describe' } as const
  const { bearer } = await at.harness.addCaller({ user: { role: 10 }, token: limited })
  const asked = at.upstream.asked.length
  const answer = await at.post(IMAGINE, `${bearer}-${channel?.id}`, { prompt: 'a cat' })
  expect(answer.text).toContain('may not use model mj_imagine')
  expect(at.upstream.asked).toHaveLength(asked)
})

describe('actions on a drawing', () => {
  it('an action needs a finished drawing and uses its channel and prompt', async () => {
    const { bearer, id } = await at.drawing()
    const change = { taskId: id, action: 'UPSCALE', index: 2 }
    expect(await at.post('/mj/submit/change', bearer, change)).toMatchObject({
      json: { description: 'task_status_not_success' },
    })
    at.reported({ id, status: 'SUCCESS', progress: '100%', imageUrl: 'https://there.example/b.png' })
    await at.poll()
    const next = at.newId()
    at.upstream.answer('/mj/submit/change', { body: { code: 1, result: next } })
    expect(await at.post('/mj/submit/change', bearer, change)).toMatchObject({ status: 200 })
    expect(await at.taskRow(next)).toMatchObject({ action: 'UPSCALE', quota: PRICE / 2n })
    expect(await at.get(`/mj/task/${next}/fetch`, bearer)).toMatchObject({ json: { prompt: 'a cat' } })
  })

  it('simple-change has an action, a model and a price', async () => {
    const { bearer, id } = await at.drawing()
    at.reported({ id, status: 'SUCCESS', progress: '100%' })
    await at.poll()
    const next = at.newId()
    at.upstream.answer('/mj/submit/simple-change', { body: { code: 1, result: next } })
    expect(await at.post('/mj/submit/simple-change', bearer, { content: `${id} V2` })).toMatchObject({
      status: 200,
    })
    expect(await at.taskRow(next)).toMatchObject({ action: 'VARIATION', quota: PRICE })
  })

  it('opening an input window is free, and submitting it is charged', async () => {
    const { userId, bearer, id } = await at.drawing()
    at.reported({ id, status: 'SUCCESS', progress: '100%' })
    await at.poll()
    const before = await at.remaining(userId)
    const next = at.newId()
    at.upstream.answer('/mj/submit/action', { body: { code: 21, description: 'window', result: next } })
    const customId = 'MJ::Inpaint::1::x::SOLO'
    expect(await at.post('/mj/submit/action', bearer, { taskId: id, customId })).toMatchObject({
      json: { code: 21 },
    })
    expect(await at.remaining(userId)).toBe(before)
    at.upstream.answer('/mj/submit/modal', { body: { code: 1, result: next } })
    expect((await at.post('/mj/submit/modal', bearer, { taskId: next, prompt: 'a hat' })).status).toBe(200)
    expect(await at.remaining(userId)).toBe((before ?? 0n) - PRICE)
  })

  it('another user cannot act on a drawing', async () => {
    const { id } = await at.drawing()
    const stranger = await at.caller()
    expect(await at.get(`/mj/task/${id}/fetch`, stranger.bearer)).toMatchObject({
      json: { description: 'task_no_found' },
    })
    expect(await at.post('/mj/submit/modal', stranger.bearer, { taskId: id })).toMatchObject({
      json: { description: 'task_no_found' },
    })
  })
})

it('a video of a drawing uses the channel of the drawing, and its addresses are returned', async () => {
  const { bearer, id } = await at.drawing()
  at.reported({ id, status: 'SUCCESS', progress: '100%' })
  await at.poll()
  const film = at.newId()
  at.upstream.answer('/mj/submit/video', { body: { code: 1, description: 'ok', result: film } })
  const answer = await at.post('/mj/submit/video', bearer, { taskId: id, motion: 'low' })
  expect(answer).toMatchObject({ status: 200, json: { code: 1, result: film } })
  const videoUrls = [{ url: 'https://cdn.test/1.mp4' }]
  at.reported({
    id: film,
    status: 'SUCCESS',
    progress: '100%',
    videoUrl: 'https://cdn.test/1.mp4',
    videoUrls,
  })
  await at.poll()
  const { json } = await at.get(`/mj/task/${film}/fetch`, bearer)
  expect(json).toMatchObject({ action: 'VIDEO', videoUrl: 'https://cdn.test/1.mp4', videoUrls })
})

describe('images', () => {
  it('images are served by the gateway as attachments with their real media type', async () => {
    const { path } = await at.drawn({ bytes: PICTURE, type: 'text/html' })
    const answer = await at.get(path)
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
  ])('%s is never served as an image', async (_name, answer) => {
    const { path } = await at.drawn(answer)
    expect((await at.get(path)).status).toBe(502)
  })

  it('an image is fetched from public hosts only, even where channels may use private ones', async () => {
    const guarded = await openTaskHarness({
      clock: new ManualClock(),
      models: 'mj_imagine',
      mediaAddresses: [],
    })
    const elsewhere = await openTaskUpstream()
    const { path } = await guarded.drawn({ bytes: PICTURE }, elsewhere.url)
    expect((await guarded.get(path)).status).toBe(502)
    expect(elsewhere.asked).toEqual([])
    await elsewhere.close()
    await guarded.close()
  })

  it('an image on the private host of its own channel is fetched', async () => {
    const guarded = await openTaskHarness({
      clock: new ManualClock(),
      models: 'mj_imagine',
      mediaAddresses: [],
    })
    const { path } = await guarded.drawn({ bytes: PICTURE })
    expect((await guarded.get(path)).status).toBe(200)
    await guarded.close()
  })

  it('an image needs its own signature: an id alone or another signature is refused', async () => {
    const { path, id } = await at.drawn({ bytes: PICTURE })
    const other = await at.drawn({ bytes: PICTURE })
    const mark = new URL(other.path, 'http://x').searchParams.get('key') ?? ''
    expect((await at.get(`/mj/image/${id}`)).status).toBe(400)
    expect((await at.get(`/mj/image/${id}?key=${mark}`)).status).toBe(400)
    expect((await at.get(path)).status).toBe(200)
  })

  it('image URLs of the upstream are returned where the operator wants that', async () => {
    await at.harness.setOption('MjForwardUrlEnabled', 'false')
    const made = await at.drawing()
    at.reported({ id: made.id, status: 'SUCCESS', progress: '100%', imageUrl: 'https://there.example/c.png' })
    await at.poll()
    expect((await at.get(`/mj/task/${made.id}/fetch`, made.bearer)).json['imageUrl']).toBe(
      'https://there.example/c.png',
    )
    await at.harness.setOption('MjForwardUrlEnabled', 'true')
  })
})

describe('songs', () => {
  it('a song is submitted, polled and returned', async () => {
    const { id, answer, bearer, userId } = await at.song()
    expect(answer.json).toEqual({ code: 'success', message: '', data: id })
    expect(at.upstream.asked.findLast(({ path }) => path === MUSIC)).toMatchObject({
      body: { gpt_description_prompt: 'a waltz', mv: 'chirp-v3-0' },
      headers: { authorization: 'Bearer song-key' },
    })
    expect(await at.remaining(userId)).toBe(1_000_000n - PRICE)
    const data = [{ title: 'Waltz', audio_url: 'https://there.example/w.mp3' }]
    at.upstream.answer('/suno/fetch', {
      body: { code: 'success', data: [{ task_id: id, status: 'SUCCESS', start_time: 1_718_000_000, data }] },
    })
    await at.poll()
    expect((await at.get(`/suno/fetch/${id}`, bearer)).json).toMatchObject({
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
    expect((await at.post('/suno/fetch', bearer, { ids: [id, 'foreign'] })).json).toMatchObject({
      data: [{ task_id: id }],
    })
  })

  it('a song is refunded when it fails, and after a day without an update', async () => {
    const failing = await at.song()
    const silent = await at.song()
    at.upstream.answer('/suno/fetch', {
      body: {
        code: 'success',
        data: [{ task_id: failing.id, status: 'FAILURE', fail_reason: 'out of tune' }],
      },
    })
    await at.poll()
    expect(await at.remaining(failing.userId)).toBe(1_000_000n)
    expect(await at.remaining(silent.userId)).toBe(1_000_000n - PRICE)
    at.upstream.answer('/suno/fetch', { status: 500 })
    clock.advance(24 * HOUR_MS)
    await at.poll()
    expect(await at.remaining(silent.userId)).toBe(1_000_000n)
  })

  it.each([
    ['/suno/submit/lyrics', {}, 400, 'prompt_empty'],
    ['/suno/submit/dance', {}, 400, 'invalid_action'],
    ['/suno/submit/music', { task_id: 'nobody' }, 400, 'task_not_exist'],
  ])('%s %j is refused as %s', async (path, body, status, code) => {
    const { bearer } = await at.caller()
    const answer = await at.post(path, bearer, body)
    expect(answer).toMatchObject({ status, json: { code, data: null } })
  })

  it('every token can read tasks, whatever models it is limited to', async () => {
    const { bearer } = await at.harness.addCaller({
      token: { model_limits_enabled: 1, model_limits: 'gpt-4o' },
    })
    expect((await at.post('/suno/fetch', bearer, { ids: [] })).status).toBe(200)
    const refused = await at.post('/suno/submit/music', bearer, { prompt: 'x' })
    expect(refused).toMatchObject({ status: 403, json: { code: 'model_not_allowed' } })
  })
})

it('the keys of a channel are used in rotation, and each task keeps its key', async () => {
  await at.harness.addChannel(at.upstream.url, {
    type: 2,
    models: 'mj_describe',
    key: 'one\ntwo',
    priority: 9,
  })
  const { bearer } = await at.caller()
  const secrets = new Set<unknown>()
  for (let times = 0; times < 2; times++) {
    const id = at.newId()
    at.upstream.answer('/mj/submit/describe', { body: { code: 1, result: id } })
    await at.post('/mj/submit/describe', bearer, { base64: 'x' })
    const secret = at.upstream.asked.at(-1)?.headers['mj-api-secret']
    secrets.add(secret)
    at.upstream.answer(`/mj/task/${id}/image-seed`, { body: { code: 1, result: '42' } })
    expect((await at.get(`/mj/task/${id}/image-seed`, bearer)).json).toMatchObject({ result: '42' })
    expect(at.upstream.asked.at(-1)?.headers['mj-api-secret']).toBe(secret)
  }
  expect(secrets).toEqual(new Set(['one', 'two']))
})

it('tasks are polled through the proxy of their channel, and not at all when the proxy setting is invalid', async () => {
  const { harness, upstream } = at
  const proxy = await openConnectProxy()
  const channelId = await harness.addChannel(upstream.url, { type: 2, models: 'mj_shorten' })
  const { bearer } = await at.caller()
  const id = at.newId()
  upstream.answer('/mj/submit/shorten', { body: { code: 1, result: id } })
  await at.post('/mj/submit/shorten', bearer, { prompt: 'x' })
  const through = async (setting: object) => {
    const row = { setting: JSON.stringify(setting) }
    await harness.db.updateTable('channels').set(row).where('id', '=', channelId).execute()
    await harness.notices.publish({ entity: 'channels' })
  }
  await through({ proxy: proxy.url })
  at.reported({ id, status: 'IN_PROGRESS', progress: '50%' })
  await at.poll()
  expect(await at.taskRow(id)).toMatchObject({ progress: '50%' })
  expect(proxy.asked).toEqual([upstream.url.slice('http://'.length)])
  await through({ proxy: 7 })
  at.reported({ id, status: 'SUCCESS', progress: '100%' })
  await at.poll()
  expect(await at.taskRow(id)).toMatchObject({ progress: '50%' })
  await through({})
  await at.poll()
  expect(await at.taskRow(id)).toMatchObject({ status: 'SUCCESS', progress: '100%' })
  proxy.close()
})
