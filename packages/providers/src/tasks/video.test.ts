import { describe, expect, it } from 'vitest'
import { arkUpstream } from './ark.ts'
import { hailuoUpstream } from './hailuo.ts'
import { jimengUpstream } from './jimeng.ts'
import { familyName } from './jimeng-names.ts'
import { klingUpstream } from './kling.ts'
import { soraUpstream } from './sora.ts'
import { veoUpstream } from './veo.ts'
import type { TaskUpstream } from './upstream.ts'
import { vertexVeo } from '../vertex/veo.ts'
import { readVideoAsk } from './video-ask.ts'
import { linesOf, shapeOf } from './video-size.ts'
import { viduUpstream } from './vidu.ts'
import { wanUpstream } from './wan.ts'

const channel = { key: 'k', baseUrl: 'https://vendor.test', other: '' }
const place = { ...channel, model: 'm', originId: undefined }
const asked = (maker: TaskUpstream, body: object) =>
  maker.submit(readVideoAsk({ model: 'm', prompt: 'a wave', ...body }), place)
const pictures = (count: number) => Array.from({ length: count }, (_, at) => `https://a.test/${at}.png`)

const askedAs = (maker: TaskUpstream, model: string, body: object) =>
  Object(maker.submit(readVideoAsk({ model: 'm', prompt: 'a wave', ...body }), { ...place, model }).body)
const hailuo = (model: string, body: object) => askedAs(hailuoUpstream, model, body)
const wan = (model: string, body: object) => askedAs(wanUpstream, model, body)

const roles = (count: number) =>
  Object(asked(arkUpstream, { images: pictures(count) }).body).content.map(
    ({ role }: { role?: string }) => role,
  )

it.each([
  ['1280x720', '16:9', '720p'],
  ['720*1280', '9:16', '720p'],
  ['1920x1088', '16:9', '1080p'],
  ['1024x1024', '1:1', '720p'],
  ['4:3', '4:3', undefined],
  ['480P', undefined, '480p'],
  ['4k', undefined, '4k'],
])('size %s has the ratio %s and the resolution %s', (size, ratio, resolution) => {
  expect(shapeOf(size)).toEqual({ ratio, resolution })
})

it.each([
  [{ size: '1920x1088' }, '1080p'],
  [{ metadata: { resolution: '1080P' } }, '1080p'],
  [{ resolution: '768P' }, '720p'],
  [{ size: '16:9', resolution: '4K' }, '2160p'],
  [{ size: '1366x768', resolution: '768p' }, '720p'],
  [{ size: '16:9' }, undefined],
])('a request with %j has the resolution %s', (body, lines) => {
  const { work } = readVideoAsk({ model: 'm', prompt: 'a wave', ...body })
  expect(work.type === 'video' && linesOf(work)).toBe(lines)
})

it.each([
  [{ size: '1280x720', metadata: { resolution: '1080p' } }, /video_sizes_differ/],
  [{ size: '480p', resolution: '4k' }, /video_sizes_differ/],
  [{ metadata: { resolution: 1080 } }, /member_invalid/],
  [{ metadata: { resolution: '1080p --dur 60' } }, /member_invalid/],
])('a request with %j is refused', (body, code) => {
  expect(() => readVideoAsk({ model: 'm', prompt: 'a wave', ...body })).toThrow(code)
})

it.each([
  ['Ark', arkUpstream, {}, { resolution: '1080p' }],
  ['Ark', arkUpstream, { size: '9:16' }, { ratio: '9:16', resolution: '1080p' }],
  ['Vidu', viduUpstream, {}, { resolution: '1080p' }],
  ['Hailuo', hailuoUpstream, {}, { resolution: '1080P' }],
  ['Wan', wanUpstream, { size: '9:16' }, { parameters: { prompt_extend: true, size: '1080*1920' } }],
  ['Sora', soraUpstream, {}, { resolution: '1080P' }],
])('%s receives the resolution that is charged: %#', (_name, maker, body, written) => {
  expect(asked(maker, { ...body, metadata: { resolution: '1080P' } }).body).toMatchObject(written)
})

describe('Vidu', () => {
  it.each([
    [0, 'text2video'],
    [1, 'img2video'],
    [2, 'start-end2video'],
    [3, 'reference2video'],
  ])('has a separate endpoint for %d images: %s', (count, kind) => {
    expect(asked(viduUpstream, { images: pictures(count) }).path).toBe(`/ent/v2/${kind}`)
  })
})

describe('Ark', () => {
  it('receives no prompt flags that change the price', () => {
    const { body } = asked(arkUpstream, {
      prompt: 'a wave --dur 12 --rs 1080p --rt 16:9 --resolution 1080p --frames 289',
      seconds: 5,
    })
    expect(body).toEqual({
      model: 'm',
      content: [{ type: 'text', text: 'a wave --rt 16:9' }],
      duration: 5,
    })
  })

  it('receives the role of each image', () => {
    expect(roles(1)).toEqual([undefined, undefined])
    expect(roles(2)).toEqual(['first_frame', 'last_frame', undefined])
    expect(roles(3)).toEqual(['reference_image', 'reference_image', 'reference_image', undefined])
  })
})

describe('Sora', () => {
  it('receives an image by URL as a URL and an inline image as a file', () => {
    const [url] = pictures(1)
    expect(asked(soraUpstream, { input_reference: { image_url: url } })).toEqual({
      method: 'POST',
      path: '/v1/videos',
      body: { model: 'm', prompt: 'a wave', input_reference: { image_url: url } },
    })
    const { files, body } = asked(soraUpstream, { image: 'data:image/png;base64,aGk=' })
    expect(files).toEqual([
      { name: 'input_reference', fileName: 'reference.png', type: 'image/png', content: Buffer.from('hi') },
    ])
    expect(body).toEqual({ model: 'm', prompt: 'a wave' })
  })
})

it.each([
  [{}, undefined, undefined],
  [{ size: '1280x720' }, 'std', '720p'],
  [{ size: '1080p' }, 'pro', '1080p'],
  [{ size: '3840x2160' }, '4k', '2160p'],
  [{ size: '1280x720', mode: 'Pro' }, 'Pro', '1080p'],
  [{ mode: '4k' }, '4k', '2160p'],
  [{ size: '480p', mode: 'constructor' }, 'constructor', '480p'],
])('Kling: a request with %j gets mode %s and resolution %s', (body, mode, lines) => {
  const { work, model } = readVideoAsk({ model: 'kling-v3', prompt: 'a wave', ...body })
  if (work.type !== 'video') throw new Error('it is one')
  const made = klingUpstream.make?.({ model, work }) ?? work
  expect([made.mode, linesOf(made)]).toEqual([mode, lines])
})

describe('Hailuo', () => {
  it('receives a resolution that its models support, and the first and last image', () => {
    expect(hailuo('MiniMax-Hailuo-02', { size: '1280x720' })).toMatchObject({ resolution: '768P' })
    expect(hailuo('T2V-01', { size: '720p' })).toMatchObject({ resolution: '720P' })
    expect(hailuo('T2V-01', { size: '1920x1080' })).toMatchObject({ resolution: '1080P' })
    expect(() => hailuo('MiniMax-Hailuo-02', { size: '4k' })).toThrow(/member_invalid/)
    const [first, last] = pictures(2)
    expect(hailuo('m', { images: [first, last] })).toMatchObject({
      first_frame_image: first,
      last_frame_image: last,
    })
  })

  it.each([
    [1002, 429, true, false],
    [1004, 401, true, true],
    [1008, 402, true, false],
    [1026, 400, false, false],
  ])('reports error %d with status 200', (code, status, isRetryable, isChannelDead) => {
    const ask = readVideoAsk({ model: 'm', prompt: 'a wave' })
    const body = { base_resp: { status_code: code, status_msg: 'no' } }
    const reply = hailuoUpstream.readReply(ask, { status: 200, body }, place)
    const shown = status === 401 || status === 402 ? 502 : status
    expect(reply).toMatchObject({ type: 'refused', reason: 'no', isRetryable, isChannelDead, status: shown })
  })
})

it('Hailuo: a task that content moderation refused has failed and is not polled again', () => {
  const asked = [{ taskId: 't', action: '' }]
  const reported = (status_code: number) =>
    hailuoUpstream.readPoll(
      { status: 200, body: { status: '', base_resp: { status_code, status_msg: 'not that' } } },
      asked,
    )
  expect(reported(1026)).toMatchObject([{ status: 'FAILURE', failReason: 'not that' }])
  expect(reported(1027)).toMatchObject([{ status: 'FAILURE' }])
  expect(reported(2013)).toEqual([])
  // A rate limit error says nothing about the task.
  expect(reported(1002)).toBeUndefined()
})

describe('Wan', () => {
  it('receives images under the member names of its generation', () => {
    const [first, last] = pictures(2)
    expect(wan('wan2.5-i2v-preview', { image: first }).input).toMatchObject({ img_url: first })
    expect(wan('wan2.2-kf2v-flash', { images: [first, last] }).input).toMatchObject({
      first_frame_url: first,
      last_frame_url: last,
    })
    expect(wan('wan2.7-i2v', { images: [first, last] }).input.media).toEqual([
      { type: 'first_frame', url: first },
      { type: 'last_frame', url: last },
    ])
    const audio_url = 'https://a.test/1.mp3'
    expect(wan('wan2.7-i2v', { image: first, metadata: { audio_url } }).input).toEqual({
      prompt: 'a wave',
      media: [
        { type: 'first_frame', url: first },
        { type: 'driving_audio', url: audio_url },
      ],
    })
    expect(wan('wan2.5-i2v-preview', { image: first, metadata: { audio_url } }).input).toMatchObject({
      audio_url,
    })
  })

  it('receives a size for text and a resolution for images, and no other members that affect the price', () => {
    expect(wan('m', { size: '720p' }).parameters).toMatchObject({ size: '1280*720' })
    expect(wan('m', { size: '1024x576' }).parameters).toMatchObject({ size: '1024*576' })
    const [image] = pictures(1)
    expect(wan('m', { size: '1280x720', image }).parameters).toMatchObject({ resolution: '720P' })
    expect(wan('wan2.7-t2v', { size: '720x1280' }).parameters).toMatchObject({
      resolution: '720P',
      ratio: '9:16',
    })
    expect(() => wan('m', { size: '4k' })).toThrow(/member_invalid/)
    const metadata = { negative_prompt: 'fog', seed: 7, parameters: { duration: 60 }, input: { prompt: 'x' } }
    expect(wan('m', { metadata, seconds: 5 })).toEqual({
      model: 'm',
      input: { prompt: 'a wave', negative_prompt: 'fog' },
      parameters: { prompt_extend: true, seed: 7, duration: 5 },
    })
  })
})

const sent = (maker: TaskUpstream, metadata: object) =>
  JSON.stringify(asked(maker, { metadata, seconds: 5 }).body)
const read = (metadata: object) => readVideoAsk({ model: 'm', prompt: 'a wave', metadata }).work

describe('the length and the number of videos', () => {
  const lengths = [
    'durationSeconds',
    'video_length',
    'Duration',
    'SECONDS',
    'ｓeconds',
    'duration-seconds',
    'videoDuration',
  ]
  const makers = {
    arkUpstream,
    hailuoUpstream,
    klingUpstream,
    soraUpstream,
    viduUpstream,
    wanUpstream,
    veoUpstream,
  }

  it.each(lengths)('is the length that is paid, and nothing else is sent as %s', (name) => {
    for (const [vendor, maker] of Object.entries(makers)) {
      const plain = sent(maker, { seed: 7 })
      for (const metadata of [{ [name]: 60 }, { extra_body: { [name]: 60 } }, { parameters: { [name]: 60 } }])
        expect([
          vendor,
          sent(maker, { seed: 7, ...metadata }).replaceAll(/,"(?:extra_body|parameters)":\{\}/g, ''),
        ]).toEqual([vendor, plain])
    }
  })

  it.each([
    'num_frames',
    'frame_count',
    'sampleCount',
    'num_videos',
    'N',
    'batch_size',
    'numOutputs',
    'duration_ms',
  ])('does not grow by %s', (name) => {
    for (const [vendor, maker] of Object.entries(makers)) {
      const plain = sent(maker, { seed: 7 })
      expect([vendor, sent(maker, { seed: 7, [name]: 60 })]).toEqual([vendor, plain])
    }
  })

  it.each(lengths)('is read from %s where no usual name is there', (name) => {
    expect(read({ [name]: 9 })).toMatchObject({ seconds: 9 })
    expect(read({ extra_body: { [name]: '9' } })).toMatchObject({ seconds: 9 })
    expect(() => read({ [name]: 600 })).toThrow(/member_out_of_range/)
  })

  it('of single shots stays', () => {
    const shots = [{ prompt: 'a', duration: '2' }]
    expect(asked(klingUpstream, { seconds: 5, metadata: { multi_prompt: shots } }).body).toMatchObject({
      duration: '5',
      multi_prompt: shots,
    })
  })
})

describe('Veo', () => {
  it('makes one video and accepts only inline images', () => {
    const metadata = { sampleCount: 4, durationSeconds: 60, seed: 7, instances: [] }
    expect(asked(veoUpstream, { metadata, seconds: 8, size: '720x1280' }).body).toEqual({
      instances: [{ prompt: 'a wave' }],
      parameters: { seed: 7, aspectRatio: '9:16', resolution: '720p', sampleCount: 1, durationSeconds: 8 },
    })
    expect(asked(veoUpstream, { size: '3840x2160' }).body).toMatchObject({ parameters: { resolution: '4k' } })
    const body = Object(asked(veoUpstream, { image: 'data:image/png;base64,aGk=' }).body)
    expect(body.instances[0].image).toEqual({ bytesBase64Encoded: 'aGk=', mimeType: 'image/png' })
    expect(() => asked(veoUpstream, { image: pictures(1) })).toThrow(/member_invalid/)
  })

  it.each([
    ['https://a.test/v1beta/files/x-1:download?alt=media', 'SUCCESS', '/v1beta/files/x-1:download?alt=media'],
    ['https://a.test/v1beta/models/x', 'FAILURE', undefined],
    ['https://a.test/v1beta/files/../models:download', 'FAILURE', undefined],
    ['nothing', 'FAILURE', undefined],
  ])('keeps only the path of a file, so that the key is sent nowhere else: %s', (uri, status, path) => {
    const body = {
      done: true,
      response: { generateVideoResponse: { generatedVideos: [{ video: { uri } }] } },
    }
    const [update] = veoUpstream.readPoll({ status: 200, body }, [{ taskId: 't', action: '' }]) ?? []
    expect(update).toMatchObject({ status, detail: path === undefined ? {} : { video_path: path } })
  })

  it('reports why no video was made', () => {
    const answer = { generateVideoResponse: { raiMediaFilteredReasons: ['not allowed'] } }
    const body = { done: true, response: answer }
    const [update] = veoUpstream.readPoll({ status: 200, body }, [{ taskId: 't', action: '' }]) ?? []
    expect(update).toMatchObject({ status: 'FAILURE', failReason: 'not allowed' })
  })
})

describe('Veo on Vertex AI', () => {
  const key = JSON.stringify({ project_id: 'p-1', client_email: 'a@b.test', private_key: 'k' })
  const at = { ...place, key, baseUrl: 'https://aiplatform.googleapis.com', model: 'veo-3.1-generate-001' }
  const regions = JSON.stringify({ default: 'global', 'veo-3.1-generate-001': 'europe-west4' })
  const operation =
    'projects/p-1/locations/europe-west4/publishers/google/models/veo-3.1-generate-001/operations/0a-1b'
  const ask = readVideoAsk({ model: 'm', prompt: 'a wave', metadata: { storageUri: 'gs://theirs/' } })
  const reported = (body: object) =>
    vertexVeo.readPoll({ status: 200, body }, [{ taskId: operation, action: '' }])?.[0]

  it.each([
    ['', '', 'projects/p-1/locations/global/'],
    ['us-central1', 'us-central1-', 'projects/p-1/locations/us-central1/'],
    [regions, 'europe-west4-', 'projects/p-1/locations/europe-west4/'],
  ])('is called in the region of the channel: %s', (other, host, scope) => {
    expect(vertexVeo.submit(ask, { ...at, other })).toEqual({
      method: 'POST',
      baseUrl: `https://${host}aiplatform.googleapis.com`,
      path: `/v1/${scope}publishers/google/models/veo-3.1-generate-001:predictLongRunning`,
      body: { instances: [{ prompt: 'a wave' }], parameters: { sampleCount: 1 } },
    })
  })

  it('is polled in the region of the operation, with the project of the key', () => {
    const reply = vertexVeo.readReply(ask, { status: 200, body: { name: operation } }, at)
    expect(reply).toMatchObject({ type: 'accepted', taskId: operation })
    const asked = vertexVeo.poll([{ taskId: operation, action: '' }], { ...at, other: 'us-east5' })
    expect(asked).toMatchObject({
      baseUrl: 'https://europe-west4-aiplatform.googleapis.com',
      path: '/v1/projects/p-1/locations/europe-west4/publishers/google/models/veo-3.1-generate-001:fetchPredictOperation',
      body: { operationName: operation },
    })
    expect(vertexVeo.poll([{ taskId: operation, action: '' }], { ...at, key: 'AIza-1' })).toMatchObject({
      baseUrl: 'https://aiplatform.googleapis.com',
      path: '/v1/publishers/google/models/veo-3.1-generate-001:fetchPredictOperation',
    })
  })

  it.each(['projects/p/locations/evil.test#/publishers/google/models/m/operations/1', '../x', ''])(
    'refuses an operation name that would send the token elsewhere: %s',
    (name) => {
      const reply = vertexVeo.readReply(ask, { status: 200, body: { name } }, at)
      expect(reply).toMatchObject({ type: 'refused', isRetryable: false })
    },
  )

  it('stores the location of its video and none of its bytes', () => {
    const video = { bytesBase64Encoded: 'AAAA', mimeType: 'video/mp4' }
    const update = reported({ done: true, response: { videos: [video] } })
    expect(update).toMatchObject({ status: 'SUCCESS', detail: { media_type: 'video/mp4' } })
    expect(JSON.stringify(update)).not.toContain('AAAA')
    expect(vertexVeo.content?.(operation, update?.detail ?? {}, at)).toMatchObject({
      request: { method: 'POST', body: { operationName: operation } },
      base64In: 'bytesBase64Encoded',
    })
    const stored = reported({ done: true, response: { videos: [{ gcsUri: 'gs://films/a b/1.mp4' }] } })
    expect(vertexVeo.content?.(operation, stored?.detail ?? {}, at)?.request).toEqual({
      method: 'GET',
      baseUrl: 'https://storage.googleapis.com',
      path: '/storage/v1/b/films/o/a%20b%2F1.mp4?alt=media',
    })
    expect(vertexVeo.content?.(operation, { gcs_uri: 'gs://../1.mp4' }, at)).toBeUndefined()
    const filtered = { done: true, response: { raiMediaFilteredReasons: ['not allowed'] } }
    expect(reported(filtered)).toMatchObject({ status: 'FAILURE', failReason: 'not allowed' })
  })
})

describe('Jimeng', () => {
  it.each([
    ['jimeng_v30', 0, 'jimeng_t2v_v30'],
    ['jimeng_v30_1080p', 1, 'jimeng_i2v_first_v30_1080p'],
    ['jimeng_v30', 2, 'jimeng_i2v_first_tail_v30'],
    ['jimeng_v30_pro', 1, 'jimeng_ti2v_v30_pro'],
    ['jimeng_vgfm_t2v_l20', 0, 'jimeng_vgfm_t2v_l20'],
  ])('maps model %s with %d images to %s', (model, count, name) => {
    const ask = readVideoAsk({ model, prompt: 'a wave', images: pictures(count) })
    expect(familyName(name, count) ?? name).toBe(model)
    const { body } = jimengUpstream.submit(ask, { ...place, model })
    expect(body).toMatchObject({ req_key: name, frames: 121 })
    const reply = jimengUpstream.readReply(
      ask,
      { status: 200, body: { code: 10_000, data: { task_id: '7' } } },
      { ...place, model },
    )
    expect(reply).toMatchObject({ type: 'accepted', taskId: `${name}/7` })
    const polled = jimengUpstream.poll([{ taskId: `${name}/7`, action: '' }], { ...channel, key: 'a|b' })
    expect(polled).toEqual({
      method: 'POST',
      path: '/?Action=CVSync2AsyncGetResult&Version=2022-08-31',
      body: { req_key: name, task_id: '7' },
    })
  })

  it('distinguishes a failure that a gateway reports as final from a temporary one', () => {
    const asked = [{ taskId: 't', action: '' }]
    const reported = (data: object | null) =>
      jimengUpstream.readPoll({ status: 200, body: { code: 50_500, message: 'no', data } }, asked)
    expect(reported({ status: 'failed' })).toMatchObject([{ status: 'FAILURE', failReason: 'no' }])
    expect(reported(null)).toBeUndefined()
  })

  it('makes only videos of five or ten seconds', () => {
    expect(asked(jimengUpstream, { seconds: 10 }).body).toMatchObject({ frames: 241 })
    expect(() => asked(jimengUpstream, { seconds: 7 })).toThrow(/member_invalid/)
    const { body } = asked(jimengUpstream, {
      metadata: { req_key: 'other', seed: 3 },
      image: 'data:image/png;base64,aGk=',
    })
    expect(body).toMatchObject({ req_key: 'm', seed: 3, binary_data_base64: ['aGk='] })
  })
})
