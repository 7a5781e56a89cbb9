import { logTextContext, readLogTexts } from '@tollgate/store/logs/texts'
import OpenAI, { toFile } from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { listenFor } from './send.ts'
import {
  failWith,
  openScriptedUpstream,
  sendJson,
  type Responder,
  type ScriptedUpstream,
} from './upstream.ts'

/**
 * Images, speech, transcriptions and reranking, requested with the official client where it supports them.
 */

const MODELS =
  'dall-e-2,dall-e-3,gpt-image-1,tts-1,gpt-4o-mini-tts,whisper-1,gpt-4o-transcribe,jina-reranker-v2,cheap-flux'

const PRICES = { 'dall-e-3': 0.04, 'dall-e-2': 0.02 }

let harness: RelayHarness
let upstream: ScriptedUpstream
let client: OpenAI
let bearer: string
let userId: number

beforeAll(async () => {
  harness = await openRelayHarness({ limits: { orderPauseMs: 5 } })
  upstream = await openScriptedUpstream()
  await harness.setOption('ModelPrice', JSON.stringify(PRICES))
  await harness.setOption(
    'ModelRatio',
    JSON.stringify({
      'gpt-image-1': 2.5,
      'cheap-flux': 4,
      'tts-1': 7.5,
      'gpt-4o-mini-tts': 0.3,
      'whisper-1': 15,
      'gpt-4o-transcribe': 1.25,
      'jina-reranker-v2': 0.5,
      'gemini-2.5-flash': 0.15,
      'wanx-v1': 8,
      'qwen-image-edit': 8,
      'wan2.5-i2i-preview': 8,
      'gemini-2.5-flash-image': 0.15,
    }),
  )
  await harness.addChannel(upstream.url, { models: MODELS })
  await harness.addChannel(upstream.url, {
    type: 17,
    models: 'wanx-v1,qwen-image-edit,wan2.5-i2i-preview',
    key: 'sk-ali',
  })
  await harness.addChannel(upstream.url, {
    type: 24,
    models: 'gemini-2.5-flash,gemini-2.5-flash-image',
    key: 'AIza-1',
  })
  ;({ bearer, userId } = await harness.addCaller({ quota: 10_000_000n }))
  client = new OpenAI({ apiKey: bearer, baseURL: `${harness.url}/v1`, maxRetries: 0 })
})
afterAll(async () => {
  await harness.close()
  await upstream.close()
})
beforeEach(() => {
  upstream.respond = failWith(500)
})

/** The last call: its charge, flags and log row. */
async function lastCharge() {
  await harness.quiet()
  const entry = (await harness.entries()).at(-1)
  const row = (await harness.logs()).at(-1)
  const other: Record<string, unknown> = JSON.parse(row?.other ?? '{}')
  return {
    amount: entry?.amount,
    flags: entry?.flags,
    row,
    other,
    usage: JSON.parse(entry?.usage_json ?? '{}'),
  }
}

async function balance(): Promise<bigint> {
  await harness.quiet()
  return (await harness.balance(userId))?.remaining ?? 0n
}

const said = () => upstream.received.at(-1)

function pictures(count: number, usage?: object): Responder {
  return (response) =>
    sendJson(response, 200, {
      created: 1,
      data: Array.from({ length: count }, () => ({ b64_json: 'aGk=' })),
      ...(usage && { usage }),
    })
}

/**
 * A silent WAV file. The header claims `claimed` bytes a second (44 bytes of header), and the data has the
 * requested length.
 */
function wave(seconds: number, bytesPerSecond = 100, claimed = bytesPerSecond): Buffer {
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(bytesPerSecond, 24)
  head.writeUInt32LE(claimed, 28)
  head.writeUInt16LE(8, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(seconds * bytesPerSecond, 40)
  return Buffer.concat([head, Buffer.alloc(seconds * bytesPerSecond)])
}

const picture = () => toFile(Buffer.from('\r\n--not a picture\r\n'), 'gate "1".png', { type: 'image/png' })

const recording = (seconds: number, claimed?: number) =>
  toFile(wave(seconds, 100, claimed), 'a.wav', { type: 'audio/wav' })

const part = (name: string, value: string, file = '') =>
  `--x\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`

describe('image generation', () => {
  test('the price depends on size, quality and number of images', async () => {
    upstream.respond = pictures(1)
    const answer = await client.images.generate({
      model: 'dall-e-3',
      prompt: 'a toll gate',
      size: '1792x1024',
      quality: 'hd',
    })
    expect(answer.data).toHaveLength(1)
    expect(said()).toMatchObject({
      path: '/v1/images/generations',
      body: { prompt: 'a toll gate', quality: 'hd' },
    })
    const { amount, flags, row, usage } = await lastCharge()
    // 0.04 x 2 x 1.5 x 500,000.
    expect({ amount, flags, usage }).toEqual({ amount: 60_000n, flags: '', usage: { images: 1 } })
    expect(row).toMatchObject({ prompt_tokens: 1, completion_tokens: 0, quota: 60_000n })
    const picture = { size: '1792x1024', quality: 'hd' }
    expect(JSON.parse(String(row?.other))).toMatchObject({ picture })
  })

  test('only the images that came are charged, and the rest of the hold is released', async () => {
    const before = await balance()
    upstream.respond = pictures(2)
    await client.images.generate({ model: 'dall-e-2', prompt: 'x', n: 4, size: '512x512' })
    // 0.02 x 0.45 x 2 x 500,000.
    expect((await lastCharge()).amount).toBe(9_000n)
    expect(before - (await balance())).toBe(9_000n)
    expect(await harness.openHolds()).toBe(0)
  })

  test('Unlike new-api: with a model ratio an image costs its share of currency, not n units', async () => {
    upstream.respond = pictures(2)
    await client.images.generate({ model: 'cheap-flux', prompt: 'x', n: 2, size: '512x512' })
    // 0.0025 x 4 x 2 x 500,000; sizes of other vendors have no ratio.
    expect(await lastCharge()).toMatchObject({ amount: 10_000n, usage: { images: 2 } })
  })

  test('images are charged by tokens when the upstream reports them', async () => {
    upstream.respond = pictures(1, {
      input_tokens: 50,
      output_tokens: 1056,
      total_tokens: 1106,
      input_tokens_details: { text_tokens: 10, image_tokens: 40 },
    })
    await client.images.generate({ model: 'gpt-image-1', prompt: 'x', quality: 'medium' })
    const { amount, other, usage } = await lastCharge()
    // (10 + 40 x 2 + 1056 x 8) x 2.5.
    expect(amount).toBe(21_345n)
    expect(usage).toEqual({ inputText: 10, inputImage: 40, outputImage: 1056, images: 1 })
    expect(other).toMatchObject({ image: true, image_ratio: 2, image_output: 1056 })
  })

  test.each([
    [{ n: -5 }, 'n'],
    [{ n: 11 }, 'n'],
    [{ n: 1.5 }, 'n'],
    [{ size: '1024×1024' }, 'size'],
    [{ model: 'dall-e-3', size: '512x512' }, 'size'],
    [{ prompt: '' }, 'prompt'],
  ])('Unlike new-api: %j is refused before quota is held or a request is sent', async (parts, param) => {
    const count = upstream.received.length
    const answer = await harness.send({
      path: '/v1/images/generations',
      bearer,
      body: { model: 'dall-e-2', prompt: 'x', ...parts },
    })
    expect(answer).toMatchObject({ status: 400, error: { param } })
    expect(upstream.received).toHaveLength(count)
  })

  test('Unlike new-api: concurrent calls cannot spend more than the balance', async () => {
    const poor = await harness.addCaller({ quota: 25_000n })
    upstream.respond = pictures(1)
    const body = { model: 'dall-e-3', prompt: 'x' }
    const send = () => harness.send({ path: '/v1/images/generations', bearer: poor.bearer, body })
    const answers = await Promise.all([send(), send(), send()])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403, 403])
    await harness.quiet()
    expect(await harness.balance(poor.userId)).toMatchObject({ remaining: 5_000n, reserved: 0n, debt: 0n })
  })

  test('Unlike new-api: an image series, or a number in a vendor-specific member, is held and charged in full', async () => {
    upstream.respond = pictures(4)
    const body = { model: 'dall-e-2', prompt: 'x', sequential_image_generation: 'auto', size: '1024x1024' }
    await harness.send({ path: '/v1/images/generations', bearer, body })
    // 0.02 x 4 x 500,000.
    expect((await lastCharge()).amount).toBe(40_000n)
    const poor = await harness.addCaller({ quota: 39_999n })
    const many = { model: 'dall-e-2', prompt: 'x', batch_size: 4 }
    const answer = await harness.send({ path: '/v1/images/generations', bearer: poor.bearer, body: many })
    expect(answer).toMatchObject({ status: 403, error: { code: 'insufficient_user_quota' } })
  })

  test.each([{ num_images: 4 }, { Samples: 4 }, { parameters: { sampleCount: 4 } }, { sampleCount: '4' }])(
    'images under another name of their number are held and charged in full: %j',
    async (members) => {
      upstream.respond = pictures(4)
      const body = { model: 'dall-e-2', prompt: 'x', size: '1024x1024', n: 1, ...members }
      const { json } = await harness.send({ path: '/v1/images/generations', bearer, body })
      expect(json['data']).toHaveLength(4)
      expect(await lastCharge()).toMatchObject({ amount: 40_000n, flags: '', usage: { images: 4 } })
    },
  )

  test.each([
    [{ n: 1 }, 1],
    [{ n: 2, howMany: 4 }, 2],
    [{ imagesPlease: 4 }, 1],
    [{ response_format: 'url' }, 1],
  ])('images that were not asked for are neither delivered nor charged: %j', async (members, count) => {
    upstream.respond = pictures(4)
    const body = { model: 'dall-e-2', prompt: 'x', size: '1024x1024', ...members }
    const { json } = await harness.send({ path: '/v1/images/generations', bearer, body })
    expect(json['data']).toHaveLength(count)
    const amount = BigInt(count) * 10_000n
    expect(await lastCharge()).toMatchObject({ amount, flags: '', usage: { images: count } })
  })

  test('a stream ends with the images that were asked for', async () => {
    upstream.respond = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const place of [1, 2, 3]) {
        const usage = { input_tokens: 10, output_tokens: 300 * place, total_tokens: 310 * place }
        const type = 'image_generation.completed'
        response.write(`event: ${type}\ndata: ${JSON.stringify({ type, b64_json: 'aGk=', usage })}\n\n`)
      }
      response.end()
    }
    const body = { model: 'gpt-image-1', prompt: 'x', stream: true, n: 2 }
    const { text } = await harness.send({ path: '/v1/images/generations', bearer, body })
    expect(text.match(/^event: /gm)).toHaveLength(2)
    expect(text.match(/^data: /gm)).toHaveLength(2)
    expect((await lastCharge()).usage).toMatchObject({ images: 2, outputImage: 600 })
  })

  test.each([
    [{ model: 'dall-e-3', size: '512x512' }, '1024x1024, 1024x1792, 1792x1024'],
    [{ model: 'gpt-image-1', size: '1024×1024' }, 'WIDTHxHEIGHT'],
  ])('an unsupported size in %j is refused with the list of supported ones', async (members, values) => {
    const body = { prompt: 'x', ...members }
    const { error } = await harness.send({ path: '/v1/images/generations', bearer, body })
    const message = expect.stringContaining(`Invalid request, 'size' must be one of: ${values}`)
    expect(error).toMatchObject({ code: 'member_unknown_value', param: 'size', message })
  })

  test('a response without an image is an error and costs nothing', async () => {
    const before = await balance()
    upstream.respond = pictures(0)
    await expect(client.images.generate({ model: 'dall-e-2', prompt: 'x' })).rejects.toMatchObject({
      status: 502,
    })
    expect(await balance()).toBe(before)
  })

  test('partial images are streamed', async () => {
    upstream.respond = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const event = (type: string, more: object) =>
        response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`)
      event('image_generation.partial_image', { partial_image_index: 0, b64_json: 'aA==' })
      const usage = { input_tokens: 10, output_tokens: 300, total_tokens: 310 }
      event('image_generation.completed', { b64_json: 'aGk=', usage })
      response.end()
    }
    const stream = await client.images.generate({
      model: 'gpt-image-1',
      prompt: 'x',
      stream: true,
      partial_images: 1,
    })
    const types: string[] = []
    for await (const event of stream) types.push(event.type)
    expect(types).toEqual(['image_generation.partial_image', 'image_generation.completed'])
    // (10 + 300 x 8) x 2.5.
    expect(await lastCharge()).toMatchObject({ amount: 6_025n, usage: { outputImage: 300, images: 1 } })
  })
})

describe('image edits and variations', () => {
  test('an edit is forwarded as a form with unchanged files and the mapped model name', async () => {
    await harness.addChannel(upstream.url, { models: 'my-edit', model_mapping: '{"my-edit":"gpt-image-1"}' })
    await harness.setOption('ModelPrice', JSON.stringify({ ...PRICES, 'my-edit': 0.01 }))
    upstream.respond = pictures(1)
    const answer = await client.images.edit({
      model: 'my-edit',
      prompt: 'put a gate on it — 门',
      image: [await picture(), await picture()],
      n: 2,
    })
    expect(answer.data).toHaveLength(1)
    const request = said()
    expect(request?.path).toBe('/v1/images/edits')
    const form = await formOf(request)
    expect(form.get('model')).toBe('gpt-image-1')
    expect(form.get('prompt')).toBe('put a gate on it — 门')
    expect(form.getAll('image[]')).toHaveLength(2)
    const [file] = form.getAll('image[]')
    expect(file).toMatchObject({ name: 'gate "1".png', type: 'image/png' })
    expect(file instanceof File && (await file.text())).toBe('\r\n--not a picture\r\n')
    expect(request?.headers['content-length']).toBe(String(request?.bytes.length))
    expect(await lastCharge()).toMatchObject({ amount: 5_000n, usage: { images: 1 } })
  })

  test('an edit may be sent as JSON, and a variation needs no prompt', async () => {
    upstream.respond = pictures(1)
    const body = { model: 'dall-e-2', prompt: 'x', image: 'https://a.example/1.png' }
    expect(await harness.send({ path: '/v1/images/edits', bearer, body })).toMatchObject({ status: 200 })
    expect(said()).toMatchObject({ path: '/v1/images/edits', body })
    await client.images.createVariation({ image: await picture(), model: 'dall-e-2', size: '256x256' })
    expect(said()?.path).toBe('/v1/images/variations')
    // 0.02 x 0.4 x 500,000.
    expect(await lastCharge()).toMatchObject({ amount: 4_000n })
  })

  test('an invalid form, one without an image and one with a repeated field are refused', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const image = part('image', 'png', '; filename="a.png"')
    const send = (body: string) => harness.send({ path: '/v1/images/edits', bearer, headers, body })
    const count = upstream.received.length
    expect(await send('no form at all')).toMatchObject({ status: 400, error: { code: 'form_invalid' } })
    expect(await send(`${part('prompt', 'x')}--x--`)).toMatchObject({ error: { param: 'image' } })
    const twice = `${image}${part('prompt', 'x')}${part('n', '1')}${part('n', '9')}--x--`
    expect(await send(twice)).toMatchObject({ error: { code: 'member_repeated', param: 'n' } })
    const many = `${image}${part('prompt', 'x')}${part('n', '99')}--x--`
    expect(await send(many)).toMatchObject({ error: { code: 'member_out_of_range', param: 'n' } })
    expect(upstream.received).toHaveLength(count)
  })
})

async function formOf(request: ReturnType<typeof said>): Promise<FormData> {
  const type = request?.headers['content-type'] ?? ''
  return new Response(new Uint8Array(request?.bytes ?? []), { headers: { 'content-type': type } }).formData()
}

describe('speech', () => {
  test('speech is forwarded byte for byte and charged by the character', async () => {
    upstream.respond = (response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg', 'set-cookie': 'secret=1' })
      response.write(Buffer.from([1, 2, 3]))
      response.end(Buffer.from([4]))
    }
    const answer = await client.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'Hello 世界' })
    expect(answer.headers.get('content-type')).toBe('audio/mpeg')
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect([...new Uint8Array(await answer.arrayBuffer())]).toEqual([1, 2, 3, 4])
    expect(said()).toMatchObject({ path: '/v1/audio/speech', headers: { accept: '*/*' } })
    // 8 characters x 7.5.
    expect(await lastCharge()).toMatchObject({ amount: 60n, flags: '', usage: { inputText: 8 } })
  })

  test('speech of a model with an audio price is also charged by its length', async () => {
    upstream.respond = (response) => {
      response.writeHead(200, { 'content-type': 'audio/pcm' })
      response.end(Buffer.alloc(2 * 48_000 + 1))
    }
    await client.audio.speech.create({
      model: 'gpt-4o-mini-tts',
      voice: 'alloy',
      input: 'x',
      response_format: 'pcm',
    })
    // Three started seconds are 50 tokens.
    expect((await lastCharge()).usage).toMatchObject({ inputText: 1, outputAudio: 50 })
  })

  test('speech sent as events is charged by the usage in the events', async () => {
    upstream.respond = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {"type":"speech.audio.delta","audio":"AAAA"}\n\n')
      response.end(
        'data: {"type":"speech.audio.done","usage":{"input_tokens":3,"output_tokens":40,"total_tokens":43}}\n\n',
      )
    }
    const answer = await client.audio.speech.create({
      model: 'gpt-4o-mini-tts',
      voice: 'alloy',
      input: 'x',
      stream_format: 'sse',
    })
    expect(await answer.text()).toContain('speech.audio.delta')
    expect(await lastCharge()).toMatchObject({ flags: '', usage: { inputText: 3, outputAudio: 40 } })
  })

  test('an error in a 200 response to a speech request becomes a 502', async () => {
    upstream.respond = (response) => sendJson(response, 200, { error: { message: 'no voice', type: 'x' } })
    await expect(
      client.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'x' }),
    ).rejects.toMatchObject({ status: 502 })
  })

  /** Longer than the end that waits for the settlement. */
  const SOUND = 'abc'.repeat(1_000)

  test('speech is charged when its caller disconnects', async () => {
    const { promise: gone, resolve: leave } = Promise.withResolvers<void>()
    upstream.respond = async (response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' })
      response.write(SOUND)
      await gone
      response.end('def')
    }
    const { onText, seen } = listenFor('abc')
    const body = { model: 'tts-1', voice: 'alloy', input: '12345678' }
    const path = '/v1/audio/speech'
    await harness.send({ path, bearer, body, onText, leaveOnce: seen })
    await harness.noticed()
    leave()
    expect(await lastCharge()).toMatchObject({ amount: 60n, flags: 'client_gone' })
  })

  test('speech that breaks off upstream breaks off for the caller and is flagged partial', async () => {
    upstream.respond = (response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' })
      response.write(SOUND, () => response.destroy())
    }
    const body = { model: 'tts-1', voice: 'alloy', input: '12345678' }
    const answer = await harness.send({ path: '/v1/audio/speech', bearer, body })
    expect(answer).toMatchObject({ status: 200, text: expect.stringMatching(/^abc/), isCutOff: true })
    expect(await lastCharge()).toMatchObject({ amount: 60n, flags: 'partial' })
  })
})

describe('transcriptions', () => {
  test('a file for Workers AI is sent as raw bytes, and the response has the requested format', async () => {
    const model = '@cf/openai/whisper'
    await harness.setOption('ModelPrice', JSON.stringify({ ...PRICES, [model]: 0.01 }))
    await harness.addChannel(upstream.url, { type: 39, models: model, other: 'acct-1', key: 'cf-key' })
    upstream.respond = (response) =>
      sendJson(response, 200, { success: true, result: { text: 'Open the gate.' }, errors: [] })
    const file = await recording(8)
    const create = (response_format: 'json' | 'text' | 'srt') =>
      client.audio.transcriptions.create({ model, file, response_format })
    expect(await create('json')).toEqual({ text: 'Open the gate.' })
    expect(said()).toMatchObject({
      path: '/client/v4/accounts/acct-1/ai/run/%40cf/openai/whisper',
      headers: { 'content-type': 'application/octet-stream', authorization: 'Bearer cf-key' },
    })
    expect(said()?.bytes).toEqual(Buffer.from(await file.arrayBuffer()))
    expect((await lastCharge()).amount).toBe(5_000n)
    expect(await create('text')).toBe('Open the gate.')
    await expect(create('srt')).rejects.toMatchObject({ status: 400, param: 'response_format' })
  })

  test('a transcription is charged by the seconds that the upstream reports', async () => {
    upstream.respond = (response) =>
      sendJson(response, 200, { text: 'hello', usage: { type: 'duration', seconds: 90 } })
    const answer = await client.audio.transcriptions.create({ model: 'whisper-1', file: await recording(90) })
    expect(answer.text).toBe('hello')
    const form = await formOf(said())
    expect(said()?.path).toBe('/v1/audio/transcriptions')
    expect(form.get('model')).toBe('whisper-1')
    expect(form.get('file')).toMatchObject({ name: 'a.wav', size: 44 + 9_000 })
    // 1,500 tokens x 15.
    expect(await lastCharge()).toMatchObject({ amount: 22_500n, flags: '' })
  })

  test('Unlike new-api: without reported usage the recording is measured before the call and charged by its length', async () => {
    upstream.respond = (response) => {
      response.writeHead(200, { 'content-type': 'text/plain' })
      response.end('1\n00:00:00,000 --> 00:01:00,000\nhello\n')
    }
    const answer: unknown = await client.audio.transcriptions.create({
      model: 'whisper-1',
      file: await recording(60),
      response_format: 'srt',
    })
    expect(answer).toContain('hello')
    expect(await lastCharge()).toMatchObject({ amount: 15_000n, flags: 'estimated' })
  })

  test('a recording whose header claims a shorter length is charged by its samples', async () => {
    upstream.respond = (response) => sendJson(response, 200, { text: 'hello' })
    const file = await recording(300, 0xffff_ffff)
    await client.audio.transcriptions.create({ model: 'whisper-1', file })
    expect(await lastCharge()).toMatchObject({ amount: 75_000n, flags: 'estimated' })
  })

  test('a transcription with token usage is charged by tokens, streamed or not', async () => {
    const usage = {
      type: 'tokens',
      input_tokens: 100,
      input_token_details: { text_tokens: 20, audio_tokens: 80 },
      output_tokens: 10,
      total_tokens: 110,
    }
    upstream.respond = (response) => sendJson(response, 200, { text: 'hello', usage })
    await client.audio.transcriptions.create({ model: 'gpt-4o-transcribe', file: await recording(8) })
    const whole = await lastCharge()
    // (100 + 10 x 4) x 1.25.
    expect(whole).toMatchObject({ amount: 175n, usage: { inputText: 20, inputAudio: 80, outputText: 10 } })
    upstream.respond = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: {"type":"transcript.text.delta","delta":"hello"}\n\n')
      response.end(`data: ${JSON.stringify({ type: 'transcript.text.done', text: 'hello', usage })}\n\n`)
    }
    const stream = await client.audio.transcriptions.create({
      model: 'gpt-4o-transcribe',
      file: await recording(8),
      stream: true,
    })
    const types: string[] = []
    for await (const event of stream) types.push(event.type)
    expect(types).toEqual(['transcript.text.delta', 'transcript.text.done'])
    expect(await lastCharge()).toMatchObject({ amount: 175n, usage: whole.usage })
  })

  test('a translation works under /hf/v1 too', async () => {
    upstream.respond = (response) => sendJson(response, 200, { text: 'hello', duration: 12.2 })
    const other = new OpenAI({ apiKey: bearer, baseURL: `${harness.url}/hf/v1`, maxRetries: 0 })
    const answer = await other.audio.translations.create({ model: 'whisper-1', file: await recording(12) })
    expect(answer.text).toBe('hello')
    expect(said()?.path).toBe('/v1/audio/translations')
    // 13 started seconds are 217 tokens.
    expect(await lastCharge()).toMatchObject({ amount: 3_255n })
  })

  test('a transcription with Azure uses the deployment path', async () => {
    await harness.addChannel(upstream.url, { type: 3, models: 'my-whisper' })
    await harness.setOption('ModelPrice', JSON.stringify({ 'my-whisper': 0.01, ...PRICES }))
    upstream.respond = (response) => sendJson(response, 200, { text: 'hello' })
    await client.audio.transcriptions.create({ model: 'my-whisper', file: await recording(1) })
    expect(said()).toMatchObject({
      path: expect.stringMatching(/^\/openai\/deployments\/my-whisper\/audio\/transcriptions\?api-version=/),
      headers: { 'api-key': 'upstream-key-1' },
    })
    expect(await lastCharge()).toMatchObject({ amount: 5_000n })
  })

  test('a transcription without a file or as JSON is refused', async () => {
    const answer = await harness.send({
      path: '/v1/audio/transcriptions',
      bearer,
      body: { model: 'whisper-1' },
    })
    expect(answer).toMatchObject({ status: 400, error: { code: 'form_needed' } })
    await expect(
      client.audio.transcriptions.create({
        model: 'whisper-1',
        file: await toFile(Buffer.alloc(0), 'a.wav'),
      }),
    ).rejects.toMatchObject({ status: 400, param: 'file' })
  })
})

describe('reranking', () => {
  const body = { model: 'jina-reranker-v2', query: 'toll', documents: ['gate', { text: 'bridge' }], top_n: 1 }
  const results = [{ index: 1, relevance_score: 0.9 }]

  test('reranking is charged by the reported tokens', async () => {
    upstream.respond = (response) => sendJson(response, 200, { results, usage: { total_tokens: 42 } })
    const answer = await harness.send({ path: '/v1/rerank', bearer, body })
    expect(answer).toMatchObject({ status: 200, json: { results } })
    expect(said()).toMatchObject({ path: '/v1/rerank', body })
    expect(await lastCharge()).toMatchObject({ amount: 21n, flags: '', usage: { inputText: 42 } })
  })

  test('reranking without reported usage is counted locally', async () => {
    upstream.respond = (response) => sendJson(response, 200, { results })
    await harness.send({ path: '/v1/rerank', bearer, body })
    expect(await lastCharge()).toMatchObject({ flags: 'estimated', usage: { inputText: 6 } })
  })

  test.each([
    [{ query: '' }, 'query'],
    [{ documents: [] }, 'documents'],
    [{ documents: 'gate' }, 'documents'],
  ])('reranking with %j is refused', async (parts, param) => {
    const answer = await harness.send({ path: '/v1/rerank', bearer, body: { ...body, ...parts } })
    expect(answer).toMatchObject({ status: 400, error: { param } })
  })
})

describe('images of conversation models', () => {
  test('a Gemini image model serves image generation and is charged by its tokens', async () => {
    upstream.respond = (response) =>
      sendJson(response, 200, {
        candidates: [{ content: { parts: [{ inlineData: { mimeType: 'image/png', data: 'aGk=' } }] } }],
        usageMetadata: {
          promptTokenCount: 7,
          candidatesTokenCount: 1290,
          candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1290 }],
        },
      })
    const { data } = await client.images.generate({ model: 'gemini-2.5-flash-image', prompt: 'a gate' })
    expect(data).toEqual([{ b64_json: 'aGk=' }])
    const { usage, flags } = await lastCharge()
    expect(usage).toEqual({ inputText: 7, outputImage: 1290, images: 1 })
    expect(flags).toBe('')
  })

  test('image generation is refused for a model without image output', async () => {
    const before = upstream.received.length
    const asked = client.images.generate({ model: 'gemini-2.5-flash', prompt: 'a gate' })
    await expect(asked).rejects.toMatchObject({ status: 503, code: 'no_channel' })
    expect(upstream.received.length).toBe(before)
  })
})

describe('images in vendor-specific formats', () => {
  const flux = 'black-forest-labs/flux-1.1-pro'
  const jimeng = 'jimeng_high_aes_general_v21_L'

  test('Replicate and Jimeng generate images, charged by the piece', async () => {
    await harness.setOption('ModelPrice', JSON.stringify({ ...PRICES, [flux]: 0.04, [jimeng]: 0.03 }))
    await harness.addChannel(upstream.url, { type: 56, models: flux, key: 'r8_key' })
    await harness.addChannel(upstream.url, { type: 51, models: jimeng, key: 'ak|volcsk' })
    upstream.respond = (response) =>
      sendJson(response, 201, {
        id: 'p',
        status: 'succeeded',
        output: ['https://a.test/1', 'https://a.test/2'],
      })
    const made = await client.images.generate({ model: flux, prompt: 'a gate', n: 2 })
    expect(made.data).toEqual([{ url: 'https://a.test/1' }, { url: 'https://a.test/2' }])
    expect(said()).toMatchObject({
      path: `/v1/models/${flux}/predictions`,
      headers: { authorization: 'Bearer r8_key', prefer: 'wait' },
    })
    expect((await lastCharge()).amount).toBe(40_000n)

    upstream.respond = (response) =>
      sendJson(response, 200, { code: 10_000, data: { binary_data_base64: ['aGk='] }, message: 'Success' })
    const drawn = await client.images.generate({ model: jimeng, prompt: 'a gate' })
    expect(drawn.data).toEqual([{ b64_json: 'aGk=' }])
    expect(said()?.headers.authorization).toMatch(
      /^HMAC-SHA256 Credential=ak\/\d{8}\/cn-north-1\/cv\/request, /,
    )
    expect((await lastCharge()).amount).toBe(15_000n)
  })

  test('a failure inside a 200 response costs nothing', async () => {
    const before = await balance()
    upstream.respond = (response) => sendJson(response, 201, { id: 'p', status: 'failed', error: 'too dark' })
    await expect(client.images.generate({ model: flux, prompt: 'a gate' })).rejects.toMatchObject({
      status: 502,
    })
    upstream.respond = (response) => sendJson(response, 200, { code: 50_411, message: 'not that' })
    await expect(client.images.generate({ model: jimeng, prompt: 'a gate' })).rejects.toMatchObject({
      status: 502,
    })
    expect(await balance()).toBe(before)
  })

  test('Workers AI generates images, whether it responds with JSON or with the image itself', async () => {
    const flux = '@cf/black-forest-labs/flux-1-schnell'
    const diffusion = '@cf/stabilityai/stable-diffusion-xl-base-1.0'
    await harness.setOption('ModelPrice', JSON.stringify({ ...PRICES, [flux]: 0.01, [diffusion]: 0.02 }))
    const place = { type: 39, other: 'acct-1' }
    await harness.addChannel(upstream.url, { ...place, models: `${flux},${diffusion}` })
    upstream.respond = (response) =>
      sendJson(response, 200, { result: { image: 'aGk=' }, success: true, errors: [], messages: [] })
    expect((await client.images.generate({ model: flux, prompt: 'x' })).data).toEqual([{ b64_json: 'aGk=' }])
    expect(said()?.path).toBe(`/client/v4/accounts/acct-1/ai/run/%40cf/black-forest-labs/flux-1-schnell`)
    expect((await lastCharge()).amount).toBe(5_000n)
    const png = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1')
    upstream.respond = (response) => {
      response.writeHead(200, { 'content-type': 'image/png' })
      response.end(png)
    }
    const asked = { model: diffusion, prompt: 'x', size: '512x512' } as const
    const data = { b64_json: png.toString('base64') }
    expect((await client.images.generate(asked)).data).toEqual([data])
    expect(said()).toMatchObject({
      headers: { accept: '*/*' },
      body: { prompt: 'x', width: 512, height: 512 },
    })
    expect(await lastCharge()).toMatchObject({ amount: 10_000n, usage: { images: 1 } })
    const url = `data:image/png;base64,${data.b64_json}`
    expect((await client.images.generate({ ...asked, response_format: 'url' })).data).toEqual([{ url }])
    const events = []
    for await (const event of await client.images.generate({ ...asked, stream: true })) events.push(event)
    expect(events).toMatchObject([{ type: 'image_generation.completed', ...data }])
    expect((await lastCharge()).amount).toBe(10_000n)
    const refused = client.images.generate({ model: diffusion, prompt: 'x', n: 2 })
    await expect(refused).rejects.toMatchObject({ status: 400, code: 'member_out_of_range', param: 'n' })
  })
})

/** Vendor responses about an asynchronous task, in order; a number is an HTTP error with that status. */
const answered = (...outputs: readonly (object | number)[]): Responder => {
  const left = outputs.values()
  return (response, request) => {
    const output = left.next().value ?? 500
    return typeof output === 'number'
      ? failWith(output)(response, request)
      : sendJson(response, 200, { output })
  }
}
const order = () => client.images.generate({ model: 'wanx-v1', prompt: 'a gate', size: '1024x1024', n: 2 })

describe('images generated by asynchronous tasks', () => {
  const ORDER = '/api/v1/services/aigc/text2image/image-synthesis'

  test('the task is polled until it is done and charged by the piece', async () => {
    const results = [{ url: 'https://a.test/1' }, { url: 'https://a.test/2' }]
    upstream.respond = answered(
      { task_id: 't-1', task_status: 'PENDING' },
      { task_id: 't-1', task_status: 'RUNNING' },
      503,
      { task_id: 't-1', task_status: 'SUCCEEDED', results },
    )
    const before = upstream.received.length
    expect((await order()).data).toEqual(results)
    const [given, question, ...more] = upstream.received.slice(before)
    expect(given).toMatchObject({ path: ORDER, headers: { 'x-dashscope-async': 'enable' } })
    expect(given?.body).toMatchObject({
      input: { prompt: 'a gate' },
      parameters: { size: '1024*1024', n: 2 },
    })
    expect(question).toMatchObject({ path: '/api/v1/tasks/t-1', headers: { authorization: 'Bearer sk-ali' } })
    expect(more).toHaveLength(2)
    expect((await lastCharge()).usage).toEqual({ images: 2 })
  })

  test('a failed task costs nothing and its reason is returned', async () => {
    upstream.respond = answered(
      { task_id: 't-2', task_status: 'PENDING' },
      { task_id: 't-2', task_status: 'FAILED', code: 'DataInspectionFailed', message: 'not that' },
    )
    const before = await balance()
    await expect(order()).rejects.toMatchObject({ status: 400, code: 'DataInspectionFailed' })
    expect(await balance()).toBe(before)
  })
})

/** A response of Qwen. */
const drawn = (...urls: string[]) => ({
  choices: [{ message: { role: 'assistant', content: urls.map((image) => ({ image })) } }],
})

describe('images are returned in the requested form', () => {
  const PNG = Buffer.from('\x89PNG\r\n\x1a\nrest of a picture', 'latin1')
  const png = (name: string) => toFile(PNG, name, { type: 'image/png' })
  const PLACE = '/api/v1/services/aigc/multimodal-generation/generation'

  /** Responds as the vendor's API; paths below `/store/` return the image itself. */
  function vendor(output: () => object, picture: Buffer = PNG): Responder {
    return (response, request) => {
      if (!request.path.startsWith('/store/')) return sendJson(response, 200, { output: output() })
      response.writeHead(200, { 'content-type': 'image/png' })
      response.end(picture)
    }
  }

  test('an edit of several images with Qwen is returned as base64', async () => {
    upstream.respond = vendor(() => drawn(`${upstream.url}/store/1.png`, `${upstream.url}/store/2.png`))
    const answer = await client.images.edit({
      model: 'qwen-image-edit',
      prompt: 'put a gate on it — 门',
      image: [await png('a.png'), await png('b.png')],
      n: 2,
      response_format: 'b64_json',
    })
    const bytes = PNG.toString('base64')
    expect(answer.data).toEqual([{ b64_json: bytes }, { b64_json: bytes }])
    const sent = upstream.received.findLast(({ path }) => path === PLACE)
    const image = `data:image/png;base64,${bytes}`
    expect(sent?.headers).toMatchObject({
      'content-type': 'application/json',
      authorization: 'Bearer sk-ali',
    })
    expect(sent?.body).toEqual({
      model: 'qwen-image-edit',
      input: {
        messages: [{ role: 'user', content: [{ image }, { image }, { text: 'put a gate on it — 门' }] }],
      },
      parameters: { n: 2 },
    })
    // 0.0025 x 8 x 2 x 500,000.
    expect(await lastCharge()).toMatchObject({ amount: 20_000n, usage: { images: 2 } })
  })

  test('an edit with Wan as an asynchronous task is returned as a URL', async () => {
    const url = `${upstream.url}/store/1.png`
    upstream.respond = answered(
      { task_id: 't-3', task_status: 'PENDING' },
      { task_id: 't-3', task_status: 'SUCCEEDED', results: [{ url }] },
    )
    const body = { model: 'wan2.5-i2i-preview', prompt: 'x', image: 'https://a.example/1.png' }
    const answer = await harness.send({ path: '/v1/images/edits', bearer, body })
    expect(answer).toMatchObject({ status: 200, json: { data: [{ url }] } })
    expect((await lastCharge()).amount).toBe(10_000n)
    upstream.respond = (response) =>
      sendJson(response, 400, { code: 'InvalidParameter', message: 'no such size', request_id: 'r' })
    const refused = await harness.send({ path: '/v1/images/edits', bearer, body })
    expect(refused).toMatchObject({
      status: 400,
      error: { message: expect.stringContaining('no such size'), type: 'upstream_error' },
    })
  })

  test('an asynchronous image of Wan is returned as base64 to the official client', async () => {
    const results = [{ url: `${upstream.url}/store/1.png` }]
    let asked = 0
    upstream.respond = vendor(() => ({
      task_id: 't-4',
      task_status: asked++ === 0 ? 'RUNNING' : 'SUCCEEDED',
      results,
    }))
    const { data } = await client.images.generate({
      model: 'wanx-v1',
      prompt: 'a gate',
      response_format: 'b64_json',
    })
    expect(data).toEqual([{ b64_json: PNG.toString('base64') }])
  })

  test('a streamed edit is returned as base64, because streams have no URLs', async () => {
    upstream.respond = vendor(() => drawn(`${upstream.url}/store/1.png`))
    const image = await png('a.png')
    const stream = await client.images.edit({ model: 'qwen-image-edit', prompt: 'x', image, stream: true })
    const events = []
    for await (const event of stream) events.push(event)
    expect(events).toMatchObject([{ type: 'image_edit.completed', b64_json: PNG.toString('base64') }])
  })

  test('a response whose b64_json is null is converted from its URL to base64', async () => {
    upstream.respond = (response, request) => {
      const url = `${upstream.url}/store/1.png`
      const made = { url, b64_json: null, revised_prompt: 'a gate' }
      if (request.path.startsWith('/store/')) response.end(PNG)
      else sendJson(response, 200, { created: 1, data: [made] })
    }
    const asked = { model: 'dall-e-2', prompt: 'x', response_format: 'b64_json' } as const
    const { data } = await client.images.generate(asked)
    expect(data).toEqual([{ b64_json: PNG.toString('base64'), revised_prompt: 'a gate' }])
  })

  test('base64 is returned without a data: prefix', async () => {
    upstream.respond = (response) =>
      sendJson(response, 200, { created: 1, data: [{ b64_json: 'data:image/png;base64,aGk=' }] })
    const asked = { model: 'dall-e-2', prompt: 'x', response_format: 'b64_json' } as const
    expect((await client.images.generate(asked)).data).toEqual([{ b64_json: 'aGk=' }])
  })

  test('base64 is returned as a data URL when a URL is requested', async () => {
    upstream.respond = pictures(1)
    const { data } = await client.images.generate({ model: 'dall-e-2', prompt: 'x', response_format: 'url' })
    expect(data).toEqual([{ url: 'data:image/png;base64,aGk=' }])
  })

  test.each([
    ['http://10.1.2.3/1.png', PNG],
    ['file:///etc/passwd', PNG],
    ['', Buffer.from('<!doctype html>')],
    ['', Buffer.from('%PDF-1.7')],
  ])('an image that cannot be fetched is an error and costs nothing: %s %#', async (address, picture) => {
    const before = await balance()
    upstream.respond = vendor(() => drawn(address === '' ? `${upstream.url}/store/1.png` : address), picture)
    const made = client.images.edit({
      model: 'qwen-image-edit',
      prompt: 'x',
      image: await png('a.png'),
      response_format: 'b64_json',
    })
    await expect(made).rejects.toMatchObject({ status: 502, code: 'picture_unavailable' })
    expect(await balance()).toBe(before)
    expect(await harness.openHolds()).toBe(0)
  })
})

test('texts of media calls are kept on request of the operator: encrypted, with e-mail addresses removed, and without media', async () => {
  await harness.setOption('LogChatContentEnabled', 'true')
  const revised = { revised_prompt: 'a card for a@b.example', b64_json: 'aGk=' }
  upstream.respond = (response) => sendJson(response, 200, { created: 1, data: [revised] })
  await client.images.generate({ model: 'dall-e-3', prompt: 'a card for a@b.example' })
  upstream.respond = (response) => {
    response.writeHead(200, { 'content-type': 'audio/mpeg' })
    response.end(Buffer.from([1, 2, 3]))
  }
  await client.audio.speech.create({ model: 'tts-1', voice: 'alloy', input: 'Call a@b.example' })
  upstream.respond = (response) => sendJson(response, 200, { text: 'hello' })
  await client.audio.transcriptions.create({
    model: 'whisper-1',
    file: await recording(1),
    prompt: 'a@b.example',
  })
  await harness.setOption('LogChatContentEnabled', 'false')
  await harness.quiet()
  const ids = (await harness.logs()).slice(-3).map(({ request_id: id }) => id ?? '')
  await expect.poll(async () => (await readLogTexts(harness.db, ids)).size).toBe(3)
  const texts = await readLogTexts(harness.db, ids)
  const opened = ids.map((id) => JSON.parse(harness.cipher.decrypt(texts.get(id) ?? '', logTextContext(id))))
  expect(opened).toMatchObject([
    { input_content: { content: 'a card for [e-mail]' }, output_content: 'a card for [e-mail]' },
    { input_content: { content: 'Call [e-mail]' }, output_content: '' },
    { input_content: { content: '[e-mail]' }, output_content: 'hello' },
  ])
})
