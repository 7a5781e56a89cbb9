import type { CallOperation } from '@tollgate/dialects/conversations'
import { readAsk } from '@tollgate/dialects/ask'
import { isRecord } from '@tollgate/dialects/json'
import { isMedia } from '@tollgate/dialects/media/operation'
import { readMediaAnswer } from '@tollgate/dialects/media/answer'
import { readAnswer, type ChatAnswer } from '@tollgate/dialects/openai/answer'
import { expect, it } from 'vitest'
import { defaultChannelSettings } from './channel-settings.ts'
import { defaultGeminiOptions, safetySettings } from './gemini-options.ts'
import { providerById } from './index.ts'
import { prepareAttempt } from '../test/prepare-attempt.ts'
import type { Upstream } from './provider.ts'

/** Image, rerank and realtime requests of vendors that deviate from the OpenAI format. */

interface Case {
  readonly id: string
  readonly operation: CallOperation
  readonly ask: Record<string, unknown>
  readonly upstream?: Partial<Upstream>
  readonly url: string
  readonly body?: Record<string, unknown>
  /** The vendor's response, and the response that the client gets. */
  readonly answer?: Record<string, unknown>
  readonly given?: Record<string, unknown>
  readonly usage?: Record<string, unknown>
}

const ranking = { model: 'm', query: 'toll', documents: ['gate', { text: 'bridge' }] }
const results = [{ index: 1, relevance_score: 0.9 }]

const PNG = 'data:image/png;base64,iVBORw0KGgo='

const cases: readonly Case[] = [
  {
    id: 'cohere',
    operation: 'rerank',
    ask: { ...ranking, top_n: 0 },
    url: 'https://api.cohere.ai/v1/rerank',
    body: { ...ranking, top_n: 1, return_documents: true },
    answer: { id: 'r', results, meta: { billed_units: { search_units: 1 } } },
  },
  {
    id: 'qwen',
    operation: 'rerank',
    ask: { ...ranking, top_n: 2 },
    url: 'https://dashscope.aliyuncs.com/api/v1/services/rerank/text-rerank/text-rerank',
    body: {
      model: 'm',
      input: { query: 'toll', documents: ['gate', 'bridge'] },
      parameters: { top_n: 2, return_documents: true },
    },
    answer: { output: { results }, usage: { total_tokens: 9 }, request_id: 'r' },
    given: { id: 'r', results, usage: { total_tokens: 9 } },
    usage: { inputText: 9 },
  },
  {
    id: 'siliconflow',
    operation: 'rerank',
    ask: ranking,
    url: 'https://api.siliconflow.cn/v1/rerank',
    body: ranking,
    answer: { results, meta: { tokens: { input_tokens: 12, output_tokens: 0 } } },
    usage: { inputText: 12 },
  },
  {
    id: 'xinference',
    operation: 'rerank',
    ask: { ...ranking, return_documents: true },
    upstream: { baseUrl: 'http://xinference.test' },
    url: 'http://xinference.test/v1/rerank',
    answer: {
      results: [
        { index: 0, relevance_score: 1, document: 'gate' },
        { index: 1, document: '' },
      ],
    },
    given: {
      results: [
        { index: 0, relevance_score: 1, document: { text: 'gate' } },
        { index: 1, document: { text: 'bridge' } },
      ],
    },
  },
  {
    id: 'siliconflow',
    operation: 'images',
    ask: { model: 'm', prompt: 'x', n: 2, size: '512x512' },
    url: 'https://api.siliconflow.cn/v1/images/generations',
    body: { model: 'm', prompt: 'x', batch_size: 2, image_size: '512x512' },
    answer: { images: [{ url: 'a' }, { url: 'b' }] },
    given: { images: [{ url: 'a' }, { url: 'b' }], data: [{ url: 'a' }, { url: 'b' }] },
    usage: { images: 2 },
  },
  {
    id: 'zhipu',
    operation: 'images',
    ask: { model: 'cogview-4', prompt: 'x', n: 1, size: '1024x1024' },
    url: 'https://open.bigmodel.cn/api/paas/v4/images/generations',
    body: { model: 'cogview-4', prompt: 'x', size: '1024x1024' },
  },
  {
    id: 'xai',
    operation: 'images',
    ask: { model: 'grok-2-image', prompt: 'x', n: 1, size: '1024x1024' },
    url: 'https://api.x.ai/v1/images/generations',
    body: { model: 'grok-2-image', prompt: 'x', n: 1 },
  },
  {
    id: 'replicate',
    operation: 'images',
    ask: {
      model: 'black-forest-labs/flux-1.1-pro',
      prompt: 'x',
      n: 2,
      size: '1024x768',
      quality: 'hd',
      seed: 7,
    },
    url: 'https://api.replicate.com/v1/models/black-forest-labs/flux-1.1-pro/predictions',
    body: { input: { seed: 7, prompt: 'x', aspect_ratio: '4:3', num_outputs: 2, prompt_upsampling: true } },
    answer: { id: 'p', status: 'succeeded', output: ['a', 'b'], completed_at: '2025-10-09T08:53:20Z' },
    given: { created: 1_760_000_000, data: [{ url: 'a' }, { url: 'b' }] },
    usage: { images: 2 },
  },
  {
    id: 'jimeng',
    operation: 'images',
    ask: {
      model: 'jimeng_high_aes_general_v21_L',
      prompt: 'x',
      size: '512x768',
      response_format: 'b64_json',
    },
    upstream: { key: 'ak|volcsk' },
    url: 'https://visual.volcengineapi.com/?Action=CVProcess&Version=2022-08-31',
    body: {
      req_key: 'jimeng_high_aes_general_v21_L',
      return_url: false,
      width: 512,
      height: 768,
      prompt: 'x',
    },
    answer: { code: 10_000, data: { binary_data_base64: ['aGk='], image_urls: null }, message: 'Success' },
    given: { created: 0, data: [{ b64_json: 'aGk=' }] },
    usage: { images: 1 },
  },
  {
    id: 'volcano',
    operation: 'images',
    ask: { model: 'doubao-seedream-4-0-250828', prompt: 'x' },
    url: 'https://ark.cn-beijing.volces.com/api/v3/images/generations',
    answer: { data: [{ url: 'a' }], usage: { generated_images: 1, output_tokens: 4096, total_tokens: 4096 } },
    usage: { images: 1, outputImage: 4096 },
  },
  {
    id: 'gemini',
    operation: 'images',
    ask: { model: 'imagen-3.0-generate-002', prompt: 'x', n: 2, size: '1792x1024', quality: 'hd' },
    upstream: { key: 'AIza-1' },
    url: 'https://generativelanguage.googleapis.com/v1beta/models/imagen-3.0-generate-002:predict',
    body: {
      instances: [{ prompt: 'x' }],
      parameters: { sampleCount: 2, aspectRatio: '16:9', personGeneration: 'allow_adult', imageSize: '2K' },
    },
    answer: {
      predictions: [{ bytesBase64Encoded: 'aGk=', mimeType: 'image/png' }, { raiFilteredReason: 'no' }],
    },
    given: { created: 0, data: [{ b64_json: 'aGk=' }] },
    usage: { images: 1 },
  },
  {
    id: 'gemini',
    operation: 'images',
    ask: { model: 'gemini-3-pro-image-preview', prompt: 'x', n: 1, size: '1792x1024', quality: 'hd' },
    upstream: { key: 'AIza-1' },
    url: 'https://generativelanguage.googleapis.com/v1beta/models/gemini-3-pro-image-preview:generateContent',
    body: {
      contents: [{ role: 'user', parts: [{ text: 'x' }] }],
      generationConfig: {
        responseModalities: ['TEXT', 'IMAGE'],
        imageConfig: { aspectRatio: '16:9', imageSize: '2K' },
      },
      safetySettings: safetySettings(defaultGeminiOptions),
    },
    answer: {
      candidates: [
        { content: { parts: [{ text: 'Here.' }, { inlineData: { mimeType: 'image/png', data: 'aGk=' } }] } },
      ],
      usageMetadata: {
        promptTokenCount: 7,
        candidatesTokenCount: 1300,
        candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1290 }],
      },
    },
    given: {
      created: 0,
      data: [{ b64_json: 'aGk=' }],
      usage: {
        input_tokens: 7,
        output_tokens: 1300,
        total_tokens: 1307,
        input_tokens_details: { text_tokens: 7, image_tokens: 0, cached_tokens: 0 },
        output_tokens_details: { text_tokens: 10, image_tokens: 1290 },
      },
    },
    usage: { inputText: 7, outputText: 10, outputImage: 1290, images: 1 },
  },
  {
    id: 'qwen',
    operation: 'images',
    ask: {
      model: 'qwen-image-plus',
      prompt: 'x',
      size: '1328x1328',
      seed: 7,
      parameters: { n: 9, enable_interleave: true, max_images: 5, prompt_extend: false },
    },
    url: 'https://dashscope.aliyuncs.com/api/v1/services/aigc/multimodal-generation/generation',
    body: {
      model: 'qwen-image-plus',
      input: { messages: [{ role: 'user', content: [{ text: 'x' }] }] },
      parameters: { seed: 7, size: '1328*1328', prompt_extend: false, n: 1 },
    },
    answer: {
      output: { choices: [{ message: { content: [{ image: 'https://a.test/1.png' }] } }] },
      usage: { width: 1328, height: 1328, image_count: 1 },
      request_id: 'r',
    },
    given: { created: 0, data: [{ url: 'https://a.test/1.png' }] },
    usage: { images: 1 },
  },
  {
    id: 'qwen',
    operation: 'images',
    ask: { model: 'wanx-v1', prompt: 'x', negative_prompt: 'fog' },
    url: 'https://dashscope.aliyuncs.com/api/v1/services/aigc/text2image/image-synthesis',
    body: {
      model: 'wanx-v1',
      input: { prompt: 'x', negative_prompt: 'fog' },
      parameters: { n: 1 },
    },
  },
  {
    id: 'qwen',
    operation: 'image-edits',
    ask: { model: 'wan2.5-i2i-preview', prompt: 'x', image: 'https://a.test/1.png', negative_prompt: 'fog' },
    url: 'https://dashscope.aliyuncs.com/api/v1/services/aigc/image2image/image-synthesis',
    body: {
      model: 'wan2.5-i2i-preview',
      input: { prompt: 'x', negative_prompt: 'fog', images: ['https://a.test/1.png'] },
      parameters: { n: 1 },
    },
    answer: {
      output: { task_status: 'SUCCEEDED', results: [{ url: 'https://a.test/2.png' }, { code: 'x' }] },
      usage: { image_count: 1 },
    },
    given: { created: 0, data: [{ url: 'https://a.test/2.png' }] },
    usage: { images: 1 },
  },
  {
    id: 'qwen',
    operation: 'image-edits',
    ask: { model: 'wanx2.1-imageedit', prompt: 'x', images: [{ image_url: PNG }], mask: { image_url: PNG } },
    url: 'https://dashscope.aliyuncs.com/api/v1/services/aigc/image2image/image-synthesis',
    body: {
      model: 'wanx2.1-imageedit',
      input: {
        prompt: 'x',
        function: 'description_edit_with_mask',
        base_image_url: PNG,
        mask_image_url: PNG,
      },
      parameters: { n: 1 },
    },
  },
  {
    id: 'qwen',
    operation: 'image-edits',
    ask: { model: 'wan2.6-image', prompt: 'x', image: 'iVBORw0KGgo=', size: '1280x1280' },
    url: 'https://dashscope.aliyuncs.com/api/v1/services/aigc/image-generation/generation',
    body: {
      model: 'wan2.6-image',
      input: { messages: [{ role: 'user', content: [{ image: PNG }, { text: 'x' }] }] },
      parameters: { size: '1280*1280', n: 1 },
    },
    answer: {
      output: {
        task_status: 'SUCCEEDED',
        choices: [{ message: { content: [{ image: 'https://a.test/1.png', type: 'image' }] } }],
      },
    },
    given: { created: 0, data: [{ url: 'https://a.test/1.png' }] },
    usage: { images: 1 },
  },
  {
    id: 'volcano',
    operation: 'image-edits',
    ask: { model: 'doubao-seedream-4-0-250828', prompt: 'x', images: [PNG, 'https://a.test/1.png'] },
    url: 'https://ark.cn-beijing.volces.com/api/v3/images/generations',
    body: { model: 'doubao-seedream-4-0-250828', prompt: 'x', image: [PNG, 'https://a.test/1.png'] },
  },
  {
    id: 'xai',
    operation: 'image-edits',
    ask: { model: 'grok-imagine-image', prompt: 'x', image: PNG, mask: PNG, size: '1024x1024', n: 2 },
    url: 'https://api.x.ai/v1/images/edits',
    body: {
      model: 'grok-imagine-image',
      prompt: 'x',
      n: 2,
      image: { url: PNG, type: 'image_url' },
      mask: { url: PNG, type: 'image_url' },
    },
  },
  {
    id: 'xai',
    operation: 'image-edits',
    ask: { model: 'grok-imagine-image', prompt: 'x', images: [PNG, 'https://a.test/1.png'] },
    url: 'https://api.x.ai/v1/images/edits',
    body: {
      model: 'grok-imagine-image',
      prompt: 'x',
      images: [
        { url: PNG, type: 'image_url' },
        { url: 'https://a.test/1.png', type: 'image_url' },
      ],
    },
  },
  {
    id: 'siliconflow',
    operation: 'image-edits',
    ask: { model: 'm', prompt: 'x', image: [PNG, PNG], response_format: 'b64_json', n: 1 },
    url: 'https://api.siliconflow.cn/v1/images/generations',
    body: { model: 'm', prompt: 'x', image: PNG, image2: PNG, batch_size: 1 },
  },
  {
    id: 'minimax',
    operation: 'images',
    ask: { model: 'image-01', prompt: 'x', size: '1792x1024', response_format: 'b64_json', n: 1 },
    url: 'https://api.minimax.chat/v1/image_generation',
    body: { model: 'image-01', prompt: 'x', response_format: 'base64', aspect_ratio: '16:9', n: 1 },
    answer: { data: { image_base64: ['aGk='] }, base_resp: { status_code: 0 } },
    given: { created: 0, data: [{ b64_json: 'aGk=' }] },
    usage: { images: 1 },
  },
  {
    id: 'volcano',
    operation: 'speech',
    ask: {
      model: 'seed-tts',
      input: 'Open',
      voice: 'nova',
      speed: 1.2,
      metadata: { audio: { emotion: 'happy' }, request: { text: 'much more', silence_duration: 125 } },
    },
    upstream: { key: 'app-1|token-1' },
    url: 'https://openspeech.bytedance.com/api/v1/tts',
    body: {
      app: { appid: 'app-1', token: 'token-1', cluster: 'volcano_tts' },
      user: { uid: 'gateway' },
      audio: {
        voice_type: 'zh_female_shuangkuaisisi_mars_bigtts',
        encoding: 'mp3',
        rate: 24_000,
        speed_ratio: 1.2,
        emotion: 'happy',
      },
      request: {
        silence_duration: 125,
        reqid: expect.stringMatching(/^[\da-f-]{36}$/),
        text: 'Open',
        operation: 'query',
        model: 'seed-tts',
      },
    },
  },
  {
    id: 'volcano',
    operation: 'speech',
    ask: { model: 'seed-tts', input: 'Open', voice: 'nova' },
    upstream: { baseUrl: 'https://mine.test' },
    url: 'https://mine.test/v1/audio/speech',
    body: { model: 'seed-tts', input: 'Open', voice: 'nova' },
  },
  {
    id: 'minimax',
    operation: 'speech',
    ask: { model: 'speech-02-hd', input: 'Open', voice: 'male-qn', speed: 1.2, metadata: { pitch: 1 } },
    url: 'https://api.minimax.chat/v1/t2a_v2',
    body: {
      model: 'speech-02-hd',
      text: 'Open',
      voice_setting: { voice_id: 'male-qn', speed: 1.2 },
      audio_setting: { format: 'mp3' },
      pitch: 1,
      stream: false,
      output_format: 'hex',
    },
  },
  {
    id: 'cloudflare',
    operation: 'images',
    ask: {
      model: '@cf/stabilityai/stable-diffusion-xl-base-1.0',
      prompt: 'x',
      n: 1,
      size: '768x512',
      quality: 'hd',
      response_format: 'b64_json',
      stream: true,
      negative_prompt: 'fog',
    },
    upstream: { other: 'acct-1' },
    url: 'https://api.cloudflare.com/client/v4/accounts/acct-1/ai/run/%40cf/stabilityai/stable-diffusion-xl-base-1.0',
    body: { prompt: 'x', width: 768, height: 512, negative_prompt: 'fog' },
  },
  {
    id: 'cloudflare',
    operation: 'images',
    ask: { model: '@cf/black-forest-labs/flux-1-schnell', prompt: 'x', size: '1024x1024', steps: 8 },
    upstream: { other: 'acct-1' },
    url: 'https://api.cloudflare.com/client/v4/accounts/acct-1/ai/run/%40cf/black-forest-labs/flux-1-schnell',
    body: { prompt: 'x', steps: 8 },
    answer: { result: { image: 'aGk=' }, success: true, errors: [] },
    given: { created: 0, data: [{ b64_json: 'aGk=' }] },
    usage: { images: 1 },
  },
  {
    id: 'azure',
    operation: 'images',
    ask: { model: 'dall-e-3', prompt: 'x' },
    upstream: { baseUrl: 'https://mine.openai.azure.com', other: '2024-12-01', createdTime: 1_800_000_000 },
    url: 'https://mine.openai.azure.com/openai/deployments/dall-e-3/images/generations?api-version=2024-12-01',
  },
  {
    id: 'azure',
    operation: 'realtime',
    ask: { model: 'gpt-realtime' },
    upstream: { baseUrl: 'https://mine.openai.azure.com', other: '2024-12-01', createdTime: 1_800_000_000 },
    url: 'wss://mine.openai.azure.com/openai/realtime?deployment=gpt-realtime&api-version=2024-12-01',
  },
  {
    id: 'openai',
    operation: 'realtime',
    ask: { model: 'gpt-realtime' },
    upstream: { baseUrl: 'https://gateway.ai.cloudflare.com/v1/a/b/openai' },
    url: 'wss://gateway.ai.cloudflare.com/v1/a/b/openai/realtime?model=gpt-realtime',
  },
]

it.each(cases)('$id: $operation', ({ id, operation, ask: asked, upstream, ...expected }) => {
  const provider = providerById(id)
  if (provider === undefined) throw new Error(`there is no ${id}`)
  const ask = readAsk(operation, Buffer.from(JSON.stringify(asked)))
  const { endpoint, url, body } = prepareAttempt({
    provider,
    upstream: { ...UPSTREAM, type: provider.type, baseUrl: provider.baseUrl ?? '', ...upstream },
    operation,
    ask,
    model: ask.model,
    isStream: false,
    query: new URLSearchParams(),
  })
  expect(url).toBe(expected.url)
  if (expected.body !== undefined) expect(JSON.parse(String(body))).toEqual(expected.body)
  if (expected.answer === undefined) return
  const bytes = Buffer.from(JSON.stringify(expected.answer))
  const { readUsage, adjustAnswer = (same) => same } = endpoint
  const answer = read(operation, {
    readUsage,
    adjustAnswer: (reported) => adjustAnswer(reported, ask.body),
    bytes,
  })
  expect(answer.reading.error).toBeUndefined()
  expect(JSON.parse(answer.bytes.toString())).toEqual(expected.given ?? expected.answer)
  if (expected.usage === undefined) expect(answer.reading.usage).toBeUndefined()
  else expect(answer.reading.usage).toMatchObject(expected.usage)
})

function read(
  operation: CallOperation,
  rules: Omit<Parameters<typeof readAnswer>[0], 'operation'>,
): ChatAnswer {
  if (isMedia(operation)) return readMediaAnswer({ ...rules, operation })
  return readAnswer({ ...rules, operation: 'rerank' })
}

const UPSTREAM: Upstream = {
  channelId: 1,
  type: 1,
  baseUrl: '',
  key: 'sk-test-1',
  other: '',
  organization: '',
  createdTime: 0,
  settings: defaultChannelSettings,
}

it('minimax: speech in hexadecimal is converted to audio bytes', () => {
  const endpoint = providerById('minimax')?.endpoints.speech?.[0]
  const answer = {
    data: { audio: '494433', status: 2 },
    extra_info: { audio_format: 'mp3', usage_characters: 26 },
    base_resp: { status_code: 0 },
  }
  const read = (parts: object) =>
    readMediaAnswer({
      operation: 'speech',
      bytes: Buffer.from(JSON.stringify({ ...answer, ...parts })),
      readUsage: endpoint?.readUsage ?? (() => undefined),
      ...(endpoint?.extractAudio && { extractAudio: endpoint.extractAudio }),
    })
  const { bytes, type, reading } = read({})
  expect({ text: bytes.toString(), type }).toEqual({ text: 'ID3', type: 'audio/mpeg' })
  expect(reading.usage).toMatchObject({ inputText: 26 })
  expect(read({ data: { audio: 'no digits' } }).reading.error?.code).toBe('bad_response_body')
})

it('volcano: speech comes in base64, and errors with a code', () => {
  const endpoint = providerById('volcano')?.endpoints.speech?.[0]
  const read = (answer: object) =>
    readMediaAnswer({
      operation: 'speech',
      bytes: Buffer.from(JSON.stringify(answer)),
      readUsage: () => undefined,
      ...(endpoint?.extractAudio && { extractAudio: endpoint.extractAudio }),
      ...(endpoint?.errorInside && { errorInside: endpoint.errorInside }),
    })
  const { bytes, type } = read({ code: 3000, message: 'Success', data: 'SUQzCg==' })
  expect({ text: bytes.toString(), type }).toEqual({ text: 'ID3\n', type: 'audio/mpeg' })
  expect(read({ code: 3001, message: 'no such voice' }).reading.error?.message).toBe('no such voice')
})

it('gemini: a response whose only image was filtered is an error', () => {
  const endpoint = providerById('gemini')?.endpoints.images?.[0]
  const bytes = Buffer.from(JSON.stringify({ predictions: [{ raiFilteredReason: 'no' }] }))
  const { reading } = readMediaAnswer({
    operation: 'images',
    bytes,
    readUsage: () => undefined,
    ...(endpoint?.adjustAnswer && { adjustAnswer: endpoint.adjustAnswer }),
  })
  expect(isRecord(reading.error) && reading.error['code']).toBe('bad_response_body')
})

it.each([
  ['qwen3-235b-a22b', {}, { enable_thinking: false }],
  ['qwen3-32b', { stream: true }, {}],
  ['qwen3-32b', { enable_thinking: true }, { enable_thinking: true }],
  ['qwen3-max', {}, {}],
  ['qwen3-235b-a22b-thinking-2507', {}, {}],
])('qwen: `enable_thinking` of model %s is adapted to request members %j', (model, parts, expected) => {
  const provider = providerById('qwen')
  if (provider === undefined) throw new Error('there is no qwen')
  const messages = [{ role: 'user', content: 'x' }]
  const ask = readAsk('chat', Buffer.from(JSON.stringify({ model, messages, ...parts })))
  const upstream = { ...UPSTREAM, type: provider.type, baseUrl: provider.baseUrl ?? '' }
  const asked = { operation: 'chat', model, isStream: ask.isStream, query: new URLSearchParams() } as const
  const { body } = prepareAttempt({ provider, upstream, ask, ...asked })
  const { enable_thinking: reported } = JSON.parse(String(body))
  expect(reported === undefined ? {} : { enable_thinking: reported }).toEqual(expected)
})

it.each([
  ['qwen-image-edit', { image: PNG, mask: PNG }, 'image_mask_unsupported'],
  ['wan2.5-i2i-preview', { image: PNG, mask: PNG }, 'image_mask_unsupported'],
  ['wanx2.1-imageedit', { image: [PNG, PNG] }, 'member_too_long'],
  ['qwen-image-edit', {}, 'member_missing'],
  ['qwen-image-edit', { image: 'file:///etc/passwd' }, 'member_invalid'],
  ['qwen-image-edit', { images: [{ file_id: 'file-1' }] }, 'member_invalid'],
])('qwen: an image edit with %s and %j is refused', (model, parts, code) => {
  const provider = providerById('qwen')
  if (provider === undefined) throw new Error('there is no qwen')
  const ask = readAsk('image-edits', Buffer.from(JSON.stringify({ model, prompt: 'x', ...parts })))
  const upstream = { ...UPSTREAM, type: provider.type, baseUrl: provider.baseUrl ?? '' }
  const asked = { operation: 'image-edits', model, isStream: false, query: new URLSearchParams() } as const
  expect(() => prepareAttempt({ provider, upstream, ask, ...asked })).toThrow(
    expect.objectContaining({ code }),
  )
})
