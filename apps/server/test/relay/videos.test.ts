import { generateKeyPairSync } from 'node:crypto'
import { ManualClock } from '@tollgate/kit/clock'
import { IMAGE_MARK, imageMarkText } from '@tollgate/providers/tasks/image-address'
import { openTaskUpstream, type TaskUpstream } from '@tollgate/testkit/fake-task-upstream'
import OpenAI, { NotFoundError, toFile } from 'openai'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { pollTasks } from '../../src/jobs/poll-tasks.ts'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'

const BALANCE = 100_000_000n
const SECOND = 50_000n
const BODY_BYTES_MAX = 1024 * 1024
const PICTURE = Buffer.from('\x89PNG\r\n\x1a\nrest of a picture', 'latin1')
const MOVIE = Buffer.from('\0\0\0\x18ftypmp42 rest of a film', 'latin1')
const ARK = '/api/v3/contents/generations/tasks'

const VEO = 'veo-3.0-generate-001'
/** Veo models at Vertex: one channel with a service account, one with an API key. */
const VEO_OF_ACCOUNT = 'veo-3.1-generate-001'
const VEO_OF_KEY = 'veo-2.0-generate-001'
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})
const ACCOUNT = JSON.stringify({ project_id: 'p-1', client_email: 'a@p.test', private_key: privateKey })
/**
 * Responses to token requests of service accounts: the queued ones in `next` first, otherwise a new token
 * each time.
 */
const grants: { readonly given: string[]; readonly next: object[] } = { given: [], next: [] }

function grant(): object {
  grants.given.push(`token-${grants.given.length + 1}`)
  return { access_token: grants.given.at(-1), expires_in: 3600 }
}
/** A model priced by tokens, two units each. */
const BY_TOKENS = 'doubao-seedance-1-5-pro-251215'
const OTHERS = [
  [35, 'MiniMax-Hailuo-02', 'hailuo-key'],
  [17, 'wan2.5-t2v-preview', 'wan-key'],
  [24, VEO, 'veo-key'],
  [51, 'jimeng_v30', 'access|secret'],
  [41, VEO_OF_ACCOUNT, ACCOUNT],
  [41, VEO_OF_KEY, 'AIza-vertex'],
] as const

let harness: RelayHarness
let upstream: TaskUpstream
const clock = new ManualClock()

beforeAll(async () => {
  harness = await openRelayHarness({
    clock,
    limits: { bodyBytesMax: BODY_BYTES_MAX },
    exchange: async (request, real) => {
      if (!request.url.startsWith('https://www.googleapis.com/')) return real(request)
      const body = Buffer.from(JSON.stringify(grants.next.shift() ?? grant()))
      return { status: 200, headers: {}, body }
    },
  })
  upstream = await openTaskUpstream()
  const models = [
    'kling-v1',
    'viduq1',
    'doubao-seedance-1-0-pro-250528',
    'sora-2',
    ...OTHERS.map(([, name]) => name),
  ]
  await harness.addChannel(upstream.url, { type: 50, models: models[0] ?? '', key: 'ak123|sk456' })
  await harness.addChannel(upstream.url, { type: 52, models: 'viduq1,viduq2', key: 'vidu-key' })
  await harness.addChannel(upstream.url, { type: 54, models: `${models[2]},${BY_TOKENS}`, key: 'ark-key' })
  await harness.addChannel(upstream.url, { type: 55, models: models[3] ?? '', key: 'sora-key' })
  for (const [type, name, key] of OTHERS) await harness.addChannel(upstream.url, { type, models: name, key })
  const prices = Object.fromEntries(models.map((name) => [name, 0.1]))
  const ofSizes = { [`${models[2]}@1080p`]: 0.3, viduq2: 0.1, 'viduq2@1080p': 0.4, 'kling-v1@pro': 0.2 }
  const ofQualities = {
    [`${models[2]}@1080p+audio`]: 0.5,
    [`${models[2]}@flex`]: 0.05,
    'viduq2@off-peak+1080p': 0.2,
    'kling-v1@10s+audio': 0.7,
    'wan2.5-t2v-preview@silent': 0.05,
  }
  await harness.setOption('ModelPrice', JSON.stringify({ ...prices, ...ofSizes, ...ofQualities }))
  await harness.setOption('ModelRatio', JSON.stringify({ [BY_TOKENS]: 2, [`${BY_TOKENS}@silent`]: 1 }))
})
afterAll(async () => {
  expect(await harness.ledger.audit()).toMatchObject({ findings: [] })
  await upstream.close()
  await harness.close()
})
afterEach(async () => {
  expect(await harness.openHolds()).toBe(0)
})

const caller = (quota = BALANCE) => harness.addCaller({ quota })
const get = (path: string, bearer?: string) =>
  harness.send({ method: 'GET', path, ...(bearer !== undefined && { bearer }) })
const poll = () => pollTasks({ ...harness, ...harness.taskCare, log: harness.log, egress: harness.egress })
const remaining = async (userId: number) => (await harness.balance(userId))?.remaining
const clientOf = (bearer: string) =>
  new OpenAI({ baseURL: `${harness.url}/v1`, apiKey: bearer, maxRetries: 0 })
const sentTo = (path: string) => upstream.asked.findLast((each) => each.path === path)

let ids = 0

/** What each vendor receives and responds. */
const kling: Vendor = {
  model: 'kling-v1',
  submit: '/v1/videos/text2video',
  accepts: (id: string) => ({
    code: 0,
    message: 'SUCCEED',
    data: { task_id: id, task_status: 'submitted' },
  }),
  written: { model_name: 'kling-v1', prompt: 'a wave', mode: 'std', duration: '5' },
  authorization: /^Bearer eyJ[\w-]+\.[\w-]+\.[\w-]+$/,
  asks: (id: string) => `/v1/videos/text2video/${id}`,
  done: (id: string, url: string) => ({
    code: 0,
    data: {
      task_id: id,
      task_status: 'succeed',
      task_result: { videos: [{ id: 'v', url, duration: '5' }] },
    },
  }),
  failed: (id: string) => ({
    code: 0,
    data: { task_id: id, task_status: 'failed', task_status_msg: 'too dark' },
  }),
  seconds: 5n,
}
const vendors: readonly Vendor[] = [
  kling,
  {
    model: 'viduq1',
    submit: '/ent/v2/text2video',
    accepts: (id: string) => ({ task_id: id, state: 'created' }),
    written: { model: 'viduq1', prompt: 'a wave', duration: 5, resolution: '1080p' },
    authorization: /^Token vidu-key$/,
    asks: (id: string) => `/ent/v2/tasks/${id}/creations`,
    done: (_id: string, url: string) => ({ state: 'success', creations: [{ id: 'c', url }] }),
    failed: () => ({ state: 'failed', err_code: 'too dark', creations: [] }),
    seconds: 5n,
  },
  {
    model: 'doubao-seedance-1-0-pro-250528',
    submit: ARK,
    accepts: (id: string) => ({ id }),
    written: {
      model: 'doubao-seedance-1-0-pro-250528',
      content: [{ type: 'text', text: 'a wave' }],
      duration: 5,
    },
    authorization: /^Bearer ark-key$/,
    asks: (id: string) => `${ARK}/${id}`,
    done: (id: string, url: string) => ({
      id,
      status: 'succeeded',
      content: { video_url: url },
      usage: { total_tokens: 9 },
    }),
    failed: (id: string) => ({ id, status: 'failed', error: { code: 'x', message: 'too dark' } }),
    seconds: 5n,
  },
  {
    model: 'sora-2',
    submit: '/v1/videos',
    accepts: (id: string) => ({ id, object: 'video', status: 'queued' }),
    written: { model: 'sora-2', prompt: 'a wave', seconds: '4' },
    authorization: /^Bearer sora-key$/,
    asks: (id: string) => `/v1/videos/${id}`,
    done: (id: string) => ({ id, status: 'completed', progress: 100 }),
    failed: (id: string) => ({ id, status: 'failed', error: { code: 'x', message: 'too dark' } }),
    seconds: 4n,
  },
  {
    model: 'MiniMax-Hailuo-02',
    submit: '/v1/video_generation',
    accepts: (id: string) => ({ task_id: id, base_resp: { status_code: 0 } }),
    written: { model: 'MiniMax-Hailuo-02', prompt: 'a wave', duration: 6 },
    authorization: /^Bearer hailuo-key$/,
    asks: () => '/v1/query/video_generation',
    done: () => ({ status: 'Success', file_id: 'f-1', base_resp: { status_code: 0 } }),
    failed: () => ({ status: 'Fail', error_message: 'too dark', base_resp: { status_code: 0 } }),
    seconds: 6n,
    further: (url) => ['/v1/files/retrieve', { file: { download_url: url } }],
  },
  {
    model: 'wan2.5-t2v-preview',
    submit: '/api/v1/services/aigc/video-generation/video-synthesis',
    accepts: (id: string) => ({ output: { task_id: id, task_status: 'PENDING' } }),
    written: {
      model: 'wan2.5-t2v-preview',
      input: { prompt: 'a wave' },
      parameters: { prompt_extend: true, duration: 5 },
    },
    authorization: /^Bearer wan-key$/,
    asks: (id: string) => `/api/v1/tasks/${id}`,
    done: (_id: string, url: string) => ({ output: { task_status: 'SUCCEEDED', video_url: url } }),
    failed: () => ({ output: { task_status: 'FAILED', message: 'too dark' } }),
    seconds: 5n,
  },
  {
    model: VEO,
    submit: `/v1beta/models/${VEO}:predictLongRunning`,
    accepts: (id: string) => ({ name: `models/${VEO}/operations/${id}` }),
    written: {
      instances: [{ prompt: 'a wave' }],
      parameters: { sampleCount: 1, durationSeconds: 8 },
    },
    authorization: /^veo-key$/,
    asks: (id: string) => `/v1beta/models/${VEO}/operations/${id}`,
    done: (id: string) => ({
      done: true,
      response: {
        generateVideoResponse: {
          generatedVideos: [{ video: { uri: `https://vendor.test/v1beta/files/${id}:download?alt=media` } }],
        },
      },
    }),
    failed: () => ({ done: true, error: { code: 3, message: 'too dark' } }),
    seconds: 8n,
    content: (id: string) => `/v1beta/files/${id}:download`,
  },
  {
    model: 'jimeng_v30',
    submit: '/',
    accepts: (id: string) => ({ code: 10_000, data: { task_id: id } }),
    written: { req_key: 'jimeng_t2v_v30', prompt: 'a wave', frames: 121 },
    authorization: /^HMAC-SHA256 Credential=access\//,
    asks: () => '/',
    done: (_id: string, url: string) => ({ code: 10_000, data: { status: 'done', video_url: url } }),
    failed: () => ({ code: 50_511, message: 'too dark', data: null }),
    seconds: 5n,
  },
  vertexVeo(VEO_OF_ACCOUNT, 'projects/p-1/locations/global/', /^Bearer token-\d+$/),
  vertexVeo(VEO_OF_KEY, '', /^AIza-vertex$/),
]

/** Polling and downloading use the same path. */
function vertexVeo(model: string, scope: string, authorization: RegExp): Vendor {
  const place = `/v1/${scope}publishers/google/models/${model}`
  const nameOf = (id: string) =>
    `projects/p-1/locations/global/publishers/google/models/${model}/operations/${id}`
  return {
    model,
    submit: `${place}:predictLongRunning`,
    accepts: (id) => ({ name: nameOf(id) }),
    written: { instances: [{ prompt: 'a wave' }], parameters: { sampleCount: 1, durationSeconds: 8 } },
    authorization,
    asks: () => `${place}:fetchPredictOperation`,
    done: (id) => ({
      name: nameOf(id),
      done: true,
      response: { videos: [{ bytesBase64Encoded: MOVIE.toString('base64'), mimeType: 'video/mp4' }] },
    }),
    failed: (id) => ({ name: nameOf(id), done: true, error: { code: 3, message: 'too dark' } }),
    seconds: 8n,
    content: () => '/nowhere',
  }
}

interface Vendor {
  readonly model: string
  readonly submit: string
  readonly accepts: (id: string) => object
  readonly written: object
  /** Pattern for the header with the vendor key. */
  readonly authorization: RegExp
  readonly asks: (id: string) => string
  readonly done: (id: string, url: string) => object
  readonly failed: (id: string) => object
  readonly seconds: bigint
  /** The request that returns the video's address, where a vendor has a separate one. */
  readonly further?: (url: string) => readonly [string, object]
  /** The path from which the video is downloaded, where a vendor has one. */
  readonly content?: (id: string) => string
}

/** Submits a video of a new caller. */
async function started(vendor: Vendor, body: object = {}) {
  const who = await caller()
  const id = `up-${++ids}`
  upstream.answer(vendor.submit, { body: vendor.accepts(id) })
  const answer = await harness.send({
    path: '/v1/videos',
    bearer: who.bearer,
    body: { model: vendor.model, prompt: 'a wave', ...body },
  })
  return { ...who, id, name: String(answer.json['id']), answer }
}

async function finished(vendor: Vendor) {
  const made = await started(vendor)
  upstream.answer(`/films/${made.id}.mp4`, { bytes: MOVIE, type: 'video/mp4' })
  const [path, further] = vendor.further?.(`${upstream.url}/films/${made.id}.mp4`) ?? []
  if (path !== undefined) upstream.answer(path, { body: further })
  upstream.answer(vendor.content?.(made.id) ?? `${vendor.asks(made.id)}/content`, {
    bytes: MOVIE,
    type: 'video/mp4',
  })
  upstream.answer(vendor.asks(made.id), {
    body: vendor.done(made.id, `${upstream.url}/films/${made.id}.mp4`),
  })
  await poll()
  return made
}

describe.each(vendors)('$model', (vendor) => {
  it('a video is charged by the second on acceptance, under an id of the gateway', async () => {
    const { userId, id, name, answer } = await started(vendor)
    expect(answer).toMatchObject({ status: 200, json: { object: 'video', status: 'queued', progress: 0 } })
    expect(answer.json).toMatchObject({ model: vendor.model, seconds: String(vendor.seconds) })
    expect(name).toMatch(/^task_/)
    expect(JSON.stringify(answer.json)).not.toContain(id)
    expect(sentTo(vendor.submit)?.body).toMatchObject(vendor.written)
    const { authorization, ...headers } = sentTo(vendor.submit)?.headers ?? {}
    expect(authorization ?? headers['x-goog-api-key']).toMatch(vendor.authorization)
    expect(await remaining(userId)).toBe(BALANCE - vendor.seconds * SECOND)
  })

  it('a video is polled to its end, and its file is served', async () => {
    const { userId, bearer, name } = await finished(vendor)
    const { json } = await get(`/v1/videos/${name}`, bearer)
    expect(json).toMatchObject({ id: name, status: 'completed', progress: 100, error: null })
    const content = await get(`/v1/videos/${name}/content`, bearer)
    expect(content).toMatchObject({ status: 200, text: MOVIE.toString() })
    expect(content.headers['content-type']).toBe('video/mp4')
    const mark = harness.cipher.mark(imageMarkText({ userId, taskId: name }), IMAGE_MARK)
    expect((await get(`/v1/videos/${name}/content?key=${mark}`)).status).toBe(200)
    expect((await get(`/v1/videos/${name}/content?key=${mark}x`)).status).toBe(401)
    const other = await caller()
    expect((await get(`/v1/videos/${name}/content`, other.bearer)).status).toBe(404)
  })

  it('a failed video is refunded once', async () => {
    const { userId, bearer, id, name } = await started(vendor)
    upstream.answer(vendor.asks(id), { body: vendor.failed(id) })
    await Promise.all([poll(), poll()])
    await poll()
    expect(await remaining(userId)).toBe(BALANCE)
    const { json } = await get(`/v1/video/generations/${name}`, bearer)
    expect(json).toMatchObject({ code: 'success', data: { status: 'FAILURE', fail_reason: 'too dark' } })
  })

  it('a refused video costs nothing', async () => {
    const { userId, bearer } = await caller()
    upstream.answer(vendor.submit, { status: 400, body: { code: 1201, message: 'no such thing' } })
    const body = { model: vendor.model, prompt: 'a wave' }
    const answer = await harness.send({ path: '/v1/video/generations', bearer, body })
    expect(answer).toMatchObject({ status: 400, json: { error: { message: 'no such thing' } } })
    expect(await remaining(userId)).toBe(BALANCE)
  })
})

describe('a Vertex service account', () => {
  const [vertex = kling] = vendors.filter(({ model }) => model === VEO_OF_ACCOUNT)
  const shown = () =>
    upstream.asked
      .filter(({ path }) => path === vertex.submit)
      .map(({ headers }) => String(headers['authorization']).slice('Bearer '.length))

  it('one access token serves submissions and polls, and is refreshed in time', async () => {
    const before = grants.given.length
    const { bearer, name } = await finished(vertex)
    await get(`/v1/videos/${name}/content`, bearer)
    await finished(vertex)
    clock.advance(3_601_000)
    await finished(vertex)
    expect(grants.given.length - before).toBe(1)
    expect(shown().at(-1)).toBe(grants.given.at(-1))
    expect(JSON.stringify([upstream.asked, harness.said])).not.toContain('PRIVATE KEY')
  })

  it('a refused token is replaced once, and the submission is charged once', async () => {
    const id = `up-${++ids}`
    const who = await caller()
    const refused = { status: 401, body: { error: { code: 401, status: 'UNAUTHENTICATED' } } }
    upstream.answer(vertex.submit, refused, { body: vertex.accepts(id) })
    const body = { model: vertex.model, prompt: 'a wave' }
    const answer = await harness.send({ path: '/v1/videos', bearer: who.bearer, body })
    expect(answer).toMatchObject({ status: 200, json: { status: 'queued' } })
    expect(new Set(shown().slice(-2)).size).toBe(2)
    expect(await remaining(who.userId)).toBe(BALANCE - 8n * SECOND)
  })

  it('a refused token request is a plain failure that costs nothing', async () => {
    const who = await caller()
    clock.advance(3_601_000)
    grants.next.push({ error: 'invalid_grant', error_description: 'Invalid JWT Signature.' })
    const asked = upstream.asked.length
    const body = { model: vertex.model, prompt: 'a wave' }
    const answer = await harness.send({ path: '/v1/videos', bearer: who.bearer, body })
    expect(answer).toMatchObject({ status: 500, json: { error: { code: 'do_request_failed' } } })
    expect(upstream.asked).toHaveLength(asked)
    expect(await remaining(who.userId)).toBe(BALANCE)
  })
})

describe('video parameters', () => {
  it.each([
    [{ model: 'kling-v1' }, 'prompt_is_required'],
    [{ prompt: 'a wave' }, 'model_required'],
    [{ seconds: 61 }, 'member_out_of_range'],
    [{ seconds: '-5' }, 'member_out_of_range'],
    [{ metadata: { duration: 1e9 } }, 'member_out_of_range'],
    [{ metadata: { frames: 9 } }, 'member_invalid'],
    [{ size: '1 x 1' }, 'member_invalid'],
    [{ image: [1] }, 'member_invalid'],
    [{ metadata: 'x' }, 'member_invalid'],
  ])('%j is refused with %s', async (body, code) => {
    const { bearer } = await caller()
    const whole =
      'prompt' in body || 'model' in body ? body : { model: 'kling-v1', prompt: 'a wave', ...body }
    const answer = await harness.send({ path: '/v1/videos', bearer, body: whole })
    expect(answer).toMatchObject({ status: 400, json: { error: { code } } })
  })

  it('parameters are written for the vendor, and unknown ones cannot change the price', async () => {
    const { userId } = await started(kling, {
      duration: 10,
      size: '720x1280',
      metadata: { negative_prompt: 'fog', duration: 5, model: 'other', callback_url: 'http://x.test' },
    })
    expect(sentTo('/v1/videos/text2video')?.body).toEqual({
      prompt: 'a wave',
      aspect_ratio: '9:16',
      negative_prompt: 'fog',
      model_name: 'kling-v1',
      model: 'kling-v1',
      mode: 'std',
      duration: '10',
    })
    expect(await remaining(userId)).toBe(BALANCE - 10n * SECOND)
  })

  it.each([
    [vendors[2], { metadata: { resolution: '1080p' } }, 3n],
    [vendors[2], { metadata: { resolution: '1080P', size: '9:16' } }, 3n],
    [vendors[2], { size: '1920x1080' }, 3n],
    [vendors[2], { size: '1280x720', resolution: '720p' }, 1n],
    [vendors[2], {}, 1n],
    [{ ...kling, ...vendors[1], model: 'viduq2' }, {}, 4n],
    [{ ...kling, ...vendors[1], model: 'viduq2' }, { metadata: { resolution: '1080p' } }, 4n],
    [{ ...kling, ...vendors[1], model: 'viduq2' }, { metadata: { resolution: '720p' } }, 1n],
    [kling, { mode: 'pro' }, 2n],
    [kling, { metadata: { mode: 'pro' } }, 2n],
    [kling, { mode: '1080p' }, 1n],
    [kling, { size: '1920x1080' }, 2n],
    [kling, { size: '1280x720', mode: 'pro' }, 2n],
    [kling, { metadata: { sound: 'on' } }, 1n],
    [vendors[2], { size: '1920x1080', metadata: { generate_audio: true } }, 5n],
    [vendors[2], { size: '1920x1080', metadata: { generate_audio: false } }, 3n],
    [vendors[2], { metadata: { generate_audio: true } }, 1n],
    [{ ...kling, ...vendors[1], model: 'viduq2' }, { metadata: { off_peak: true } }, 2n],
  ])('a video costs the price of its size and mode: %#', async (vendor = kling, body, times) => {
    const { userId, bearer, id } = await started(vendor, body)
    expect(await remaining(userId)).toBe(BALANCE - vendor.seconds * SECOND * times)
    upstream.answer(vendor.asks(id), { body: vendor.failed(id) })
    await poll()
    expect(await remaining(userId)).toBe(BALANCE)
    expect((await get('/v1/videos', bearer)).json).toMatchObject({ data: [{ status: 'failed' }] })
  })

  it('cheaper options cost less and are sent in the vendor’s own members', async () => {
    const [wan, ark] = [vendors[5], vendors[2]]
    if (wan === undefined || ark === undefined) throw new Error('there are eight vendors')
    const silent = await started(wan, { metadata: { audio: false } })
    expect(await remaining(silent.userId)).toBe(BALANCE - (5n * SECOND) / 2n)
    expect(sentTo(wan.submit)?.body).toMatchObject({ parameters: { audio: false } })
    const slow = await started(ark, { metadata: { service_tier: 'flex' } })
    expect(await remaining(slow.userId)).toBe(BALANCE - (5n * SECOND) / 2n)
    expect(sentTo(ark.submit)?.body).toMatchObject({ service_tier: 'flex' })
    const loud = await started(kling, { seconds: '10', metadata: { sound: 'on' } })
    expect(await remaining(loud.userId)).toBe(BALANCE - 10n * SECOND * 7n)
    expect(sentTo(kling.submit)?.body).toMatchObject({ sound: 'on', duration: '10' })
  })

  it.each([
    ['kling-v1', { metadata: { off_peak: true } }, 'video_quality_unsupported'],
    ['kling-v1', { mode: 'std', size: '1920x1080' }, 'member_invalid'],
    ['viduq1', { metadata: { service_tier: 'flex' } }, 'video_quality_unsupported'],
    ['MiniMax-Hailuo-02', { metadata: { audio: false } }, 'video_quality_unsupported'],
    ['jimeng_v30', { size: '1920x1080' }, 'member_invalid'],
    ['viduq1', { metadata: { audio: true, sound: 'off' } }, 'member_invalid'],
    ['viduq1', { metadata: { audio: 1 } }, 'member_invalid'],
    ['viduq1', { metadata: { off_peak: 'yes' } }, 'member_invalid'],
  ])('Unlike new-api: %s refuses %j instead of selling it at a lower price', async (model, body, code) => {
    const { bearer, userId } = await caller()
    const answer = await harness.send({
      path: '/v1/videos',
      bearer,
      body: { model, prompt: 'a wave', ...body },
    })
    expect(answer).toMatchObject({ status: 400, json: { error: { code } } })
    expect(await remaining(userId)).toBe(BALANCE)
  })

  it('contradictory or invalid sizes are refused', async () => {
    const { bearer, userId } = await caller()
    const body = { model: 'viduq1', size: '1280x720', prompt: 'a wave', metadata: { resolution: '1080p' } }
    const answer = await harness.send({ path: '/v1/videos', bearer, body })
    expect(answer).toMatchObject({ status: 400, json: { error: { code: 'video_sizes_differ' } } })
    const kling = { model_name: 'kling-v1', prompt: 'a wave', resolution: 7 }
    const theirs = await harness.send({ path: '/kling/v1/videos/text2video', bearer, body: kling })
    expect(theirs).toMatchObject({ status: 400, json: { code: 1201 } })
    expect(await remaining(userId)).toBe(BALANCE)
  })

  it('a parameter that the vendor does not support is refused with the reason and costs nothing', async () => {
    const { bearer, userId } = await caller()
    const images = ['http://a.test/1.png', 'http://a.test/2.png', 'http://a.test/3.png']
    const body = { model: 'kling-v1', prompt: 'a wave', images }
    const answer = await harness.send({ path: '/v1/videos', bearer, body })
    expect(answer).toMatchObject({ status: 400, json: { error: { code: 'member_too_long' } } })
    expect(await remaining(userId)).toBe(BALANCE)
  })

  it('a balance that does not cover all seconds is refused without calling the upstream', async () => {
    const { bearer } = await caller(5n * SECOND - 1n)
    const before = upstream.asked.length
    const answer = await harness.send({
      path: '/v1/videos',
      bearer,
      body: { model: 'kling-v1', prompt: 'a wave' },
    })
    expect(answer).toMatchObject({ status: 403, json: { error: { code: 'insufficient_user_quota' } } })
    expect(upstream.asked.length).toBe(before)
  })
})

const ended = (id: string, usage?: object) => ({
  id,
  status: 'succeeded',
  content: { video_url: `${upstream.url}/films/${id}.mp4` },
  ...(usage && { usage }),
})

describe('a video priced by its tokens', () => {
  const seedance: Vendor = { ...kling, ...vendors[2], model: BY_TOKENS }
  /** The largest possible usage: 24 frames a second of 1080 lines for five seconds, plus a quarter. */
  const MOST = 303_750n

  it.each([
    [{ total_tokens: 108_900, completion_tokens: 108_900 }, 108_900n],
    [{ completion_tokens: 49_000 }, 49_000n],
    // Missing or implausible usage: the vendor's own formula is used, at its default size.
    [undefined, 108_000n],
    [{ total_tokens: 0 }, 108_000n],
    [{ total_tokens: -5 }, 108_000n],
    [{ total_tokens: 1.5 }, 108_000n],
    [{ total_tokens: '7' }, 108_000n],
    [{ total_tokens: 1e300 }, 108_000n],
    // Never more than the amount held.
    [{ total_tokens: 9e15 }, MOST],
    [{ total_tokens: Number(MOST) + 1 }, MOST],
  ])('a video costs the tokens that its upstream reports: %j', async (usage, tokens) => {
    const { userId, id, name, bearer } = await started(seedance)
    expect(await remaining(userId)).toBe(BALANCE - MOST * 2n)
    upstream.answer(`${ARK}/${id}`, { body: ended(id, usage) })
    await Promise.all([poll(), poll()])
    await poll()
    expect(await remaining(userId)).toBe(BALANCE - tokens * 2n)
    const { json } = await get(`/v1/videos/${name}`, bearer)
    expect(json).toMatchObject({ status: 'completed', progress: 100 })
    expect(JSON.stringify(json)).not.toContain('token')
    await harness.quiet()
    const rows = (await harness.logs()).filter(({ user_id: user }) => user === userId)
    expect(rows.map(({ type, quota }) => [type, quota])).toEqual([
      [2, MOST * 2n],
      ...(tokens === MOST ? [] : [[6, (MOST - tokens) * 2n]]),
    ])
    const events = rows.map(({ other }): unknown => JSON.parse(other))
    const back = { tokens: Number(tokens), quota: Number((MOST - tokens) * 2n) }
    expect(events).toMatchObject([
      { event: 'task_charged', action: expect.any(String), model_ratio: 2, platform: 'video' },
      ...(tokens === MOST ? [] : [{ event: 'task_settled_for_less', task_id: name, ...back }]),
    ])
  })

  it('a video without sound has its own price, and is refunded in full when it fails', async () => {
    const { userId, id } = await started(seedance, { size: '720p', metadata: { generate_audio: false } })
    expect(await remaining(userId)).toBe(BALANCE - 135_000n)
    upstream.answer(`${ARK}/${id}`, { body: seedance.failed(id) })
    await Promise.all([poll(), poll()])
    expect(await remaining(userId)).toBe(BALANCE)
  })

  it('a model without reported tokens cannot be priced by tokens', async () => {
    await harness.setOption(
      'ModelRatio',
      JSON.stringify({ [BY_TOKENS]: 2, [`${BY_TOKENS}@silent`]: 1, viduq9: 1 }),
    )
    await harness.addChannel(upstream.url, { type: 52, models: 'viduq9', key: 'vidu-key' })
    const { bearer } = await caller()
    const body = { model: 'viduq9', prompt: 'a wave' }
    const answer = await harness.send({ path: '/v1/videos', bearer, body })
    expect(answer).toMatchObject({ json: { error: { code: 'model_price_error' } } })
  })
})

describe("Kling's own paths", () => {
  it('responses have the format of Kling', async () => {
    const { bearer } = await caller()
    const id = `up-${++ids}`
    upstream.answer('/v1/videos/image2video', { body: { code: 0, data: { task_id: id } } })
    const answer = await harness.send({
      path: '/kling/v1/videos/image2video',
      bearer,
      body: { model_name: 'kling-v1', image: 'data:image/png;base64,AAAA', cfg_scale: 0.7 },
    })
    expect(answer).toMatchObject({ status: 200, json: { code: 0, data: { task_status: 'submitted' } } })
    expect(sentTo('/v1/videos/image2video')?.body).toMatchObject({ image: 'AAAA', cfg_scale: 0.7 })
    const name = String(Object(answer.json['data']).task_id)
    const asked = await get(`/kling/v1/videos/image2video/${name}`, bearer)
    expect(asked.json).toMatchObject({ code: 0, data: { task_id: name, task_status: 'submitted' } })
    const none = await get('/kling/v1/videos/image2video/nothing', bearer)
    expect(none).toMatchObject({ status: 404, json: { code: 1203 } })
  })
})

describe("Jimeng's own path", () => {
  const SUBMIT = '/jimeng/?Action=CVSync2AsyncSubmitTask&Version=2022-08-31'
  const RESULT = '/jimeng?Action=CVSync2AsyncGetResult&Version=2022-08-31'
  const MODEL = 'jimeng_t2v_v30'
  const submit = (bearer: string, body: object = {}) =>
    harness.send({ path: SUBMIT, bearer, body: { req_key: MODEL, prompt: 'a wave', ...body } })
  const ask = (bearer: string, taskId: string) =>
    harness.send({ path: RESULT, bearer, body: { req_key: MODEL, task_id: taskId } })

  it('tasks are submitted and read in the format of Jimeng, and only by their owner', async () => {
    const { bearer, userId } = await caller()
    upstream.answer('/', { body: { code: 10_000, data: { task_id: `up-${++ids}` } } })
    const answer = await submit(bearer, { frames: 241, aspect_ratio: '9:16', seed: 7 })
    expect(answer).toMatchObject({ status: 200, json: { code: 10_000, message: 'Success' } })
    expect(sentTo('/')?.body).toEqual({
      req_key: MODEL,
      prompt: 'a wave',
      frames: 241,
      aspect_ratio: '9:16',
      seed: 7,
    })
    expect(await remaining(userId)).toBe(BALANCE - 10n * SECOND)
    const name = String(Object(answer.json['data']).task_id)
    expect((await ask(bearer, name)).json).toMatchObject({ code: 10_000, data: { status: 'in_queue' } })
    const stranger = await caller()
    for (const known of [await ask(stranger.bearer, name), await ask(bearer, 'nothing')])
      expect(known).toMatchObject({ status: 200, json: { code: 10_000, data: { status: 'not_found' } } })
    const film = `${upstream.url}/film.mp4`
    upstream.answer('/', { body: { code: 10_000, data: { status: 'done', video_url: film } } })
    await poll()
    expect((await ask(bearer, name)).json).toMatchObject({ data: { status: 'done', video_url: film } })
  })

  it('a failed task is reported and refunded', async () => {
    const { bearer, userId } = await caller()
    upstream.answer('/', { body: { code: 10_000, data: { task_id: `up-${++ids}` } } })
    const name = String(Object((await submit(bearer)).json['data']).task_id)
    upstream.answer('/', { body: { code: 50_511, message: 'too dark', data: null } })
    await poll()
    expect((await ask(bearer, name)).json).toMatchObject({ code: 50_500, message: 'too dark' })
    expect(await remaining(userId)).toBe(BALANCE)
  })

  it.each([
    [SUBMIT, { prompt: 'a wave' }, 400, 50_215],
    [SUBMIT, { req_key: 'jimeng_i2v_first_v30', prompt: 'a wave' }, 400, 50_215],
    [SUBMIT, { req_key: MODEL, prompt: 'a wave', frames: 99 }, 400, 50_215],
    [SUBMIT, { req_key: MODEL, prompt: 'a wave', binary_data_base64: ['AAAA'] }, 400, 50_215],
    [SUBMIT, { req_key: 'nobody-serves', prompt: 'a wave' }, 503, 50_500],
    ['/jimeng', { req_key: MODEL }, 400, 50_215],
    ['/jimeng?Action=CVProcess', { req_key: MODEL }, 400, 50_215],
  ])('an unsupported request is refused in the format of Jimeng: %s %j', async (path, body, status, code) => {
    const { bearer, userId } = await caller()
    const asked = upstream.asked.length
    const answer = await harness.send({ path, bearer, body })
    expect(answer).toMatchObject({ status, json: { code, status: code, data: null } })
    expect(upstream.asked).toHaveLength(asked)
    expect(await remaining(userId)).toBe(BALANCE)
  })

  it('a missing token is refused in the format of the vendor too', async () => {
    const body = { req_key: MODEL, model_name: 'kling-v1', prompt: 'a wave' }
    expect(await submit('sk-nobody')).toMatchObject({ status: 401, json: { code: 50_400 } })
    const kling = await harness.send({ path: '/kling/v1/videos/text2video', bearer: 'sk-nobody', body })
    expect(kling).toMatchObject({ status: 401, json: { code: 1000 } })
  })

  it('Unlike new-api: the body has the same size limit as any other', async () => {
    const { bearer } = await caller()
    const answer = await submit(bearer, { prompt: 'x'.repeat(BODY_BYTES_MAX) })
    expect(answer).toMatchObject({ status: 413, json: { code: 50_215 } })
  })
})

describe('the official client', () => {
  it('the client creates a video from an image, remixes it and downloads it', async () => {
    const { bearer, userId } = await caller()
    const client = clientOf(bearer)
    const id = `up-${++ids}`
    upstream.answer('/v1/videos', { body: { id, status: 'queued' } })
    const input_reference = await toFile(PICTURE, 'a.png', { type: 'image/png' })
    const made = await client.videos.create({
      model: 'sora-2',
      prompt: 'a wave',
      seconds: '8',
      input_reference,
    })
    expect(made).toMatchObject({ object: 'video', status: 'queued', seconds: '8' })
    const form = String(sentTo('/v1/videos')?.body)
    expect(form).toContain('name="input_reference"; filename="reference.png"')
    expect(form).toMatch(/name="seconds"\r\n\r\n8\r\n/)
    upstream.answer(`/v1/videos/${id}`, { body: { id, status: 'in_progress', progress: 40 } })
    await poll()
    expect(await client.videos.retrieve(made.id)).toMatchObject({ status: 'in_progress', progress: 40 })
    upstream.answer(`/v1/videos/${id}`, { body: { id, status: 'completed' } })
    await poll()
    upstream.answer(`/v1/videos/${id}/content`, { bytes: MOVIE, type: 'video/mp4' })
    const content = await client.videos.downloadContent(made.id)
    expect(Buffer.from(await content.arrayBuffer())).toEqual(MOVIE)
    upstream.answer(`/v1/videos/${id}/remix`, { body: { id: `${id}-r`, status: 'queued' } })
    const remix = await client.videos.remix(made.id, { prompt: 'at night' })
    expect(remix).toMatchObject({ remixed_from_video_id: made.id, model: 'sora-2', seconds: '8' })
    expect(sentTo(`/v1/videos/${id}/remix`)?.body).toEqual({ prompt: 'at night' })
    expect(await remaining(userId)).toBe(BALANCE - 16n * SECOND)
  })

  it('the client pages through its own videos and deletes finished ones', async () => {
    const { bearer, userId } = await caller()
    const client = clientOf(bearer)
    upstream.answer('/v1/videos', { status: 400, body: { error: { message: 'not that' } } })
    const refused = client.videos.create({ model: 'sora-2', prompt: 'a wave' })
    await expect(refused).rejects.toThrow('not that')
    expect((await client.videos.list()).data).toEqual([])
    const names: string[] = []
    for (let count = 0; count < 3; count++) {
      upstream.answer('/v1/videos', { body: { id: `page-${++ids}`, status: 'queued' } })
      names.push((await client.videos.create({ model: 'sora-2', prompt: 'a wave' })).id)
    }
    const seen: string[] = []
    for await (const video of client.videos.list({ limit: 2 })) seen.push(video.id)
    expect(seen).toEqual(names.toReversed())
    const page = await client.videos.list({ limit: 2, order: 'asc' })
    expect(page.data.map(({ id }) => id)).toEqual(names.slice(0, 2))
    expect((await clientOf((await caller()).bearer).videos.list()).data).toEqual([])
    const [first = ''] = names
    const early = harness.send({ method: 'DELETE', path: `/v1/videos/${first}`, bearer })
    expect(await early).toMatchObject({ status: 409, json: { error: { code: 'task_not_ended' } } })
    upstream.answer(`/v1/videos/page-${ids - 2}`, { body: { id: 'x', status: 'completed' } })
    await poll()
    const paid = await remaining(userId)
    expect(await client.videos.delete(first)).toEqual({ id: first, object: 'video.deleted', deleted: true })
    await expect(client.videos.retrieve(first)).rejects.toBeInstanceOf(NotFoundError)
    await expect(client.videos.delete(first)).rejects.toBeInstanceOf(NotFoundError)
    await poll()
    expect(await remaining(userId)).toBe(paid)
    for (const query of ['limit=0', 'limit=x', 'order=up'])
      expect((await get(`/v1/videos?${query}`, bearer)).status).toBe(400)
    expect((await get('/v1/videos?after=task_none', bearer)).status).toBe(404)
  })

  it('the client throws its typed errors', async () => {
    const { bearer } = await caller()
    await expect(clientOf(bearer).videos.retrieve('task_none')).rejects.toBeInstanceOf(NotFoundError)
  })
})
