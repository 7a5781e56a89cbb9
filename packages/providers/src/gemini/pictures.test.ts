import { readAsk } from '@tollgate/dialects/ask'
import type { Ask } from '@tollgate/dialects/dialect'
import { readMediaAnswer } from '@tollgate/dialects/media/answer'
import { readFormAsk } from '@tollgate/dialects/media/read-form-ask'
import { describe, expect, it } from 'vitest'
import { defaultChannelSettings } from '../channel-settings.ts'
import type { FetchedMedia } from '../define/media.ts'
import { providerById } from '../index.ts'
import { openAttempt } from '../prepare/index.ts'

/** Tests image generation and editing with Gemini chat models behind the OpenAI images API. */

const PNG = 'iVBORw0KGgo='
const GIF = Buffer.from('GIF89a')

const jsonAsk = (body: object, operation: 'images' | 'image-edits' = 'image-edits') =>
  readAsk(
    operation,
    Buffer.from(JSON.stringify({ model: 'gemini-3-pro-image-preview', prompt: 'x', ...body })),
  )

function opened(ask: Ask, { id = 'gemini', key = 'AIza-1' }: Given = {}) {
  const provider = providerById(id) ?? expect.fail(`${id} is a provider`)
  return openAttempt({
    provider: provider.forChannel?.({ key, settings: defaultChannelSettings }) ?? provider,
    upstream: {
      channelId: 1,
      type: provider.type,
      baseUrl: '',
      key,
      other: '',
      organization: '',
      createdTime: 0,
      settings: defaultChannelSettings,
    },
    operation: isEdit(ask) ? 'image-edits' : 'images',
    ask,
    model: ask.model,
    isStream: ask.isStream,
    query: new URLSearchParams(),
  })
}

interface Given {
  readonly id?: string
  readonly key?: string
  readonly media?: FetchedMedia
}

function isEdit({ body, form }: Ask): boolean {
  return form !== undefined || ['image', 'images', 'image[]'].some((name) => name in body)
}

const part = (name: string, value: string, file = '') =>
  `--b\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`
const prepared = (ask: Ask, given: Given = {}) => opened(ask, given).prepare(given)
const sent = (ask: Ask, given?: Given) => JSON.parse(String(prepared(ask, given).body))
const picture = (data: string, mimeType = 'image/png') => ({ inlineData: { mimeType, data } })

describe('an image edit', () => {
  it.each([
    [{ image: `data:image/png;base64,${PNG}` }],
    [{ image: PNG }],
    [{ images: [{ image_url: `data:image/jpeg;base64,${PNG}` }] }],
  ])('as JSON sends its image with the media type that its bytes show: %j', (members) => {
    const { contents, generationConfig } = sent(jsonAsk(members))
    expect(contents).toEqual([{ role: 'user', parts: [picture(PNG), { text: 'x' }] }])
    expect(generationConfig).toEqual({ responseModalities: ['TEXT', 'IMAGE'] })
  })

  it('as a form sends its files', () => {
    const bytes = Buffer.from(
      part('model', 'gemini-2.5-flash-image') +
        part('prompt', '7') +
        part('n', '1') +
        part('size', '1536x1024') +
        part('image[]', GIF.toString(), '; filename="a.png"') +
        part('image[]', GIF.toString(), '; filename="b.png"') +
        '--b--',
    )
    const contentType = 'multipart/form-data; boundary=b'
    const ask = readFormAsk({ operation: 'image-edits', bytes, contentType, defaults: {} })
    const gif = picture(GIF.toString('base64'), 'image/gif')
    expect(sent(ask)).toMatchObject({
      contents: [{ parts: [gif, gif, { text: '7' }] }],
      generationConfig: { imageConfig: { aspectRatio: '3:2' } },
    })
    expect(prepared(ask).headers['content-type']).toBe('application/json')
  })

  it('with images by address has them fetched first', () => {
    const ask = jsonAsk({ image: ['https://a.test/1.png', PNG, 'https://a.test/2.png'] })
    expect(opened(ask).needs.addresses).toEqual(['https://a.test/1.png', 'https://a.test/2.png'])
    const media = new Map([
      ['https://a.test/1.png', { mediaType: 'image/webp', base64: 'Zmlyc3Q=' }],
      ['https://a.test/2.png', { mediaType: 'image/png', base64: 'c2Vjb25k' }],
    ])
    expect(sent(ask, { media }).contents[0].parts).toEqual([
      picture('Zmlyc3Q=', 'image/webp'),
      picture(PNG),
      picture('c2Vjb25k'),
      { text: 'x' },
    ])
    const page = new Map(
      [...media.keys()].map((url) => [url, { mediaType: 'application/pdf', base64: 'eA==' }]),
    )
    expect(() => sent(ask, { media: page })).toThrow(expect.objectContaining({ code: 'media_wrong_kind' }))
  })

  it.each([
    [{ image: PNG, mask: PNG }, 'image_mask_unsupported'],
    [{ image: PNG, n: 2 }, 'member_out_of_range'],
    [{ image: 'data:image/png;base64,aGVsbG8=' }, 'media_no_image'],
    [{ image: 'data:image/svg+xml,<svg/>' }, 'member_invalid'],
    [{ image: [] }, 'member_missing'],
  ])('with %j is refused', (members, code) => {
    expect(() => sent(jsonAsk(members))).toThrow(expect.objectContaining({ code }))
  })

  it('works on Vertex AI too', () => {
    const { url, body } = prepared(jsonAsk({ image: PNG }), { id: 'vertex' })
    expect(url).toMatch(/publishers\/google\/models\/gemini-3-pro-image-preview:generateContent$/)
    expect(JSON.parse(String(body)).contents[0].parts[0]).toEqual(picture(PNG))
  })
})

const config = (body: object) => sent(jsonAsk(body, 'images')).generationConfig.imageConfig

describe('image sizes', () => {
  it.each([
    [{}, undefined],
    [{ size: 'auto', quality: 'auto' }, undefined],
    [{ size: '1024x1024' }, { aspectRatio: '1:1' }],
    [{ size: '1792x1024' }, { aspectRatio: '16:9' }],
    [{ size: '832x1248' }, { aspectRatio: '2:3' }],
    [{ size: '8:1' }, { aspectRatio: '8:1' }],
    [{ size: '2048x2048' }, { aspectRatio: '1:1', imageSize: '2K' }],
    [{ size: '5504x3072' }, { aspectRatio: '16:9', imageSize: '4K' }],
    [{ size: '2K' }, { imageSize: '2K' }],
    [{ quality: 'high' }, { imageSize: '2K' }],
    [
      { quality: 'high', size: '4096x4096' },
      { aspectRatio: '1:1', imageSize: '4K' },
    ],
  ])('%j sets the aspect ratio and image size', (wish, expected) => {
    expect(config(wish)).toEqual(expected)
  })

  it('only set the aspect ratio for models with a single image size', () => {
    const model = 'gemini-2.5-flash-image'
    expect(config({ model, size: '2048x1152', quality: 'high' })).toEqual({ aspectRatio: '16:9' })
  })
})

const read = (answer: object) => {
  const { endpoint } = prepared(jsonAsk({ image: PNG }))
  const { readUsage, adjustAnswer = (same) => same } = endpoint
  const bytes = Buffer.from(JSON.stringify(answer))
  return readMediaAnswer({
    operation: 'image-edits',
    bytes,
    readUsage,
    adjustAnswer: (reported) => adjustAnswer(reported),
  })
}
const parts = (...all: object[]) => ({ candidates: [{ content: { parts: all }, finishReason: 'STOP' }] })

describe('a response', () => {
  it('contains its images and usage, but no images that are thoughts', () => {
    const { bytes, reading } = read({
      ...parts({ ...picture('dGhvdWdodA=='), thought: true }, { text: 'Here.' }, picture('aGk=')),
      usageMetadata: {
        promptTokenCount: 600,
        promptTokensDetails: [{ modality: 'IMAGE', tokenCount: 560 }],
        candidatesTokenCount: 1125,
        candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1120 }],
        thoughtsTokenCount: 80,
      },
    })
    const answer = JSON.parse(bytes.toString())
    expect(answer.data).toEqual([{ b64_json: 'aGk=' }])
    expect(answer.usage).toEqual({
      input_tokens: 600,
      output_tokens: 1205,
      total_tokens: 1805,
      input_tokens_details: { text_tokens: 40, image_tokens: 560, cached_tokens: 0 },
      output_tokens_details: { text_tokens: 85, image_tokens: 1120 },
    })
    expect(reading.usage).toMatchObject({
      inputText: 40,
      inputImage: 560,
      outputText: 85,
      outputImage: 1120,
      images: 1,
    })
  })

  it.each([
    [{ promptFeedback: { blockReason: 'SAFETY' } }, 'prompt_blocked', 'The prompt was blocked: SAFETY'],
    [
      { candidates: [{ finishReason: 'IMAGE_SAFETY', finishMessage: 'Not this one.' }] },
      'no_image',
      'No picture was made: Not this one.',
    ],
    [parts({ text: 'I draw no ' }, { text: 'money.' }), 'no_image', 'No picture was made: I draw no money.'],
    [{ candidates: [{ finishReason: 'NO_IMAGE' }] }, 'no_image', 'No picture was made: NO_IMAGE'],
  ])('that refuses the prompt is a client error: %j', (answer, code, message) => {
    expect(read(answer).reading.error).toMatchObject({ status: 400, code, message })
  })

  it.each([
    [{ candidates: [] }],
    [{ candidates: [{ finishReason: 'IMAGE_OTHER' }] }],
    [{ candidates: [{}] }],
  ])('without an image or a reason is an upstream error that can be retried: %j', (answer) => {
    expect(read(answer).reading.error).toMatchObject({ status: 502, code: 'bad_response_body' })
  })
})
