import OpenAI, { toFile } from 'openai'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { openScriptedUpstream, sendJson, type Responder, type ScriptedUpstream } from './upstream.ts'

/** Image generation and editing with Gemini models through OpenAI's official client. */

const MODEL = 'gemini-3-pro-image-preview'
const PNG = Buffer.from('\x89PNG\r\n\x1a\nrest of a picture', 'latin1')
const BASE64 = PNG.toString('base64')
/** A timestamp in seconds within an hour of now. */
const NOW = expect.toSatisfy((seconds: number) => Math.abs(seconds - Date.now() / 1000) < 3600)
const INLINE = { inlineData: { mimeType: 'image/png', data: BASE64 } }

let harness: RelayHarness
let google: ScriptedUpstream
let client: OpenAI
let bearer: string
let userId: number

beforeAll(async () => {
  harness = await openRelayHarness()
  google = await openScriptedUpstream()
  await harness.setOption('ModelRatio', JSON.stringify({ [MODEL]: 1, 'gemini-2.5-flash-image': 1 }))
  await harness.setOption('CompletionRatio', JSON.stringify({ [MODEL]: 60 }))
  await harness.setOption('ImageRatio', JSON.stringify({ [MODEL]: 2 }))
  await harness.addChannel(google.url, { type: 24, models: MODEL, key: 'AIza-1' })
  await harness.addChannel(google.url, { type: 41, models: 'gemini-2.5-flash-image', key: 'AQ.express-1' })
  ;({ bearer, userId } = await harness.addCaller({ quota: 10_000_000n }))
  client = new OpenAI({ apiKey: bearer, baseURL: `${harness.url}/v1`, maxRetries: 0 })
})
afterAll(async () => {
  await harness.close()
  await google.close()
})
beforeEach(() => {
  google.respond = drawn()
})

/**
 * Responds with one image of 1,120 tokens, made from `inputImage` image tokens and 40 text tokens; also
 * serves stored images.
 */
function drawn(inputImage = 560): Responder {
  return (response, { path }) => {
    if (path.startsWith('/store/')) response.end(PNG)
    else
      sendJson(response, 200, {
        candidates: [{ content: { parts: [{ text: 'Here.' }, INLINE] }, finishReason: 'STOP' }],
        usageMetadata: {
          promptTokenCount: 40 + inputImage,
          promptTokensDetails: [{ modality: 'IMAGE', tokenCount: inputImage }],
          candidatesTokenCount: 1125,
          candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1120 }],
          thoughtsTokenCount: 80,
        },
      })
  }
}

async function lastCharge() {
  await harness.quiet()
  const [entry, row] = [(await harness.entries()).at(-1), (await harness.logs()).at(-1)]
  return { amount: entry?.amount, flags: entry?.flags, usage: JSON.parse(entry?.usage_json ?? '{}'), row }
}

const asked = () => google.received.findLast(({ path }) => !path.startsWith('/store/'))
const png = () => toFile(PNG, 'gate.png', { type: 'image/png' })

test('an edit with uploaded files works and is charged by its tokens', async () => {
  const { created, data, usage } = await client.images.edit({
    model: MODEL,
    prompt: 'put a gate on it — 门',
    image: [await png(), await png()],
    size: '1536x1024',
    quality: 'high',
  })
  expect(data).toEqual([{ b64_json: BASE64 }])
  expect(created).toEqual(NOW)
  expect(usage).toMatchObject({ input_tokens: 600, output_tokens: 1205, total_tokens: 1805 })
  expect(asked()).toMatchObject({
    path: `/v1beta/models/${MODEL}:generateContent`,
    headers: { 'x-goog-api-key': 'AIza-1', 'content-type': 'application/json' },
    body: {
      contents: [{ role: 'user', parts: [INLINE, INLINE, { text: 'put a gate on it — 门' }] }],
      generationConfig: {
        responseModalities: ['TEXT', 'IMAGE'],
        imageConfig: { aspectRatio: '3:2', imageSize: '2K' },
      },
    },
  })
  // 40 + 560 x 2 + 1,205 x 60.
  const { row, ...charge } = await lastCharge()
  expect(charge).toEqual({
    amount: 73_460n,
    flags: '',
    usage: {
      inputText: 40,
      inputImage: 560,
      outputText: 85,
      outputImage: 1120,
      images: 1,
      reasoning: undefined,
    },
  })
  expect(row).toMatchObject({ prompt_tokens: 600, completion_tokens: 1205, quota: 73_460n })
})

test('image URLs in a JSON edit are fetched, and its reported image tokens are accepted as those of a form', async () => {
  google.respond = drawn(20_000)
  const image = [`${google.url}/store/1.png`, `data:image/png;base64,${BASE64}`, BASE64]
  const body = { model: MODEL, prompt: 'x', image, response_format: 'url' }
  const answer = await harness.send({ path: '/v1/images/edits', bearer, body })
  expect(answer).toMatchObject({ status: 200, json: { data: [{ url: `data:image/png;base64,${BASE64}` }] } })
  expect(asked()?.body).toMatchObject({ contents: [{ parts: [INLINE, INLINE, INLINE, { text: 'x' }] }] })
  // 40 + 20,000 x 2 + 1,205 x 60.
  expect(await lastCharge()).toMatchObject({ amount: 112_340n, flags: '' })
})

test('an edit can be streamed', async () => {
  const stream = await client.images.edit({ model: MODEL, prompt: 'x', image: await png(), stream: true })
  const events = []
  for await (const event of stream) events.push(event)
  expect(events).toMatchObject([
    { type: 'image_edit.completed', b64_json: BASE64, created_at: NOW, usage: { input_tokens: 600 } },
  ])
  expect((await lastCharge()).amount).toBe(73_460n)
})

test('Vertex AI supports edits too', async () => {
  await client.images.edit({ model: 'gemini-2.5-flash-image', prompt: 'x', image: await png() })
  expect(asked()?.path).toBe('/v1/publishers/google/models/gemini-2.5-flash-image:generateContent')
})

test('a mask and more than one output image are refused without calling the upstream', async () => {
  const before = google.received.length
  const masked = client.images.edit({ model: MODEL, prompt: 'x', image: await png(), mask: await png() })
  await expect(masked).rejects.toMatchObject({ status: 400, code: 'image_mask_unsupported' })
  const several = client.images.generate({ model: MODEL, prompt: 'x', n: 2 })
  await expect(several).rejects.toMatchObject({ status: 400, code: 'member_out_of_range', param: 'n' })
  expect(google.received.length).toBe(before)
})

test('a refusal to draw is returned in the model’s words and costs nothing', async () => {
  await harness.quiet()
  const before = (await harness.balance(userId))?.remaining
  google.respond = (response) =>
    sendJson(response, 200, {
      candidates: [{ content: { parts: [{ text: 'I draw no money.' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 40, candidatesTokenCount: 5 },
    })
  const made = client.images.edit({ model: MODEL, prompt: 'x', image: await png() })
  await expect(made).rejects.toMatchObject({
    status: 400,
    code: 'no_image',
    message: expect.stringContaining('I draw no money.'),
  })
  await harness.quiet()
  expect((await harness.balance(userId))?.remaining).toBe(before)
  expect(await harness.openHolds()).toBe(0)
})
