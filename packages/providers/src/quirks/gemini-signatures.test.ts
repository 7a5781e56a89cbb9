import { readAsk } from '@tollgate/dialects/ask'
import { writeThoughtSignature } from '@tollgate/dialects/gemini/signature'
import { describe, expect, it } from 'vitest'
import { defaultChannelSettings } from '../channel-settings.ts'
import { providerById } from '../index.ts'
import { openAttempt } from '../prepare/index.ts'

const CLAUDES = writeThoughtSignature({ value: { dialect: 'anthropic', value: 'sig' }, isRedacted: false })
const SEALED = writeThoughtSignature({ value: { dialect: 'responses', value: 'data' }, isRedacted: true })
const GOOGLES = Buffer.from('its own').toString('base64')
const BEFORE = ['anthropic:sig', 'sealed:anthropic:data']

const KEYS = { gemini: 'AIza-1', vertex: 'AIza-express', newapi: 'sk-1' }

function sent(parts: readonly object[], id: keyof typeof KEYS = 'gemini', model = 'gemini-2.5-pro') {
  const known = providerById(id) ?? expect.fail(`${id} is a provider`)
  const provider = known.forChannel?.({ key: KEYS[id], settings: defaultChannelSettings }) ?? known
  const contents = [
    { role: 'user', parts: [{ text: 'hi' }] },
    { role: 'model', parts },
    { role: 'user', parts: [{ text: 'go on' }] },
  ]
  const bytes = Buffer.from(JSON.stringify({ contents, cachedContent: null }))
  const ask = readAsk('generate', bytes, { pathModel: model })
  const prepared = openAttempt({
    provider,
    upstream: {
      channelId: 1,
      type: provider.type,
      baseUrl: 'https://a.test',
      key: KEYS[id],
      other: '',
      organization: '',
      createdTime: 0,
      settings: defaultChannelSettings,
    },
    operation: 'generate',
    ask,
    model,
    isStream: false,
    query: new URLSearchParams(),
  }).prepare()
  return {
    body: JSON.parse(String(prepared.body)),
    bytes: prepared.body,
    original: bytes,
    dropped: prepared.dropped,
  }
}

describe.each(['gemini', 'vertex'] as const)('a native %s channel', (id) => {
  it.each([CLAUDES, SEALED, CLAUDES.replace(/=+$/, ''), ...BEFORE])(
    'never gets the signature of another vendor: %s',
    (thoughtSignature) => {
      const { body, dropped } = sent(
        [
          { text: 'hm', thought: true, thoughtSignature },
          { text: 'well', thought_signature: thoughtSignature },
          { functionCall: { name: 'f' }, thoughtSignature },
          { text: 'x', thoughtSignature: GOOGLES },
        ],
        id,
      )
      expect(body.contents[1].parts).toEqual([
        { text: 'well' },
        { functionCall: { name: 'f' } },
        { text: 'x', thoughtSignature: GOOGLES },
      ])
      expect(dropped).toContain('thoughtSignature')
    },
  )

  it('gets no turn that was nothing but sealed reasoning', () => {
    const { body } = sent([{ text: '', thought: true, thoughtSignature: SEALED }], id)
    expect(body.contents.map(({ role }: { role: string }) => role)).toEqual(['user', 'user'])
  })

  it('gets the placeholder for a call if the model signs its calls', () => {
    const calls = [
      { functionCall: { name: 'f' }, thoughtSignature: CLAUDES },
      { functionCall: { name: 'g' }, thoughtSignature: CLAUDES },
    ]
    const { body } = sent(calls, id, 'gemini-3-pro-preview')
    expect(body.contents[1].parts).toEqual([
      { functionCall: { name: 'f' }, thoughtSignature: 'skip_thought_signature_validator' },
      { functionCall: { name: 'g' } },
    ])
  })
})

it('a native channel without such signatures gets the bytes of the caller', () => {
  const { bytes, original, dropped } = sent([{ text: 'x', thoughtSignature: GOOGLES }])
  expect(bytes).toBe(original)
  expect(dropped).toEqual([])
})

it('another gateway may serve the vendor of the signature, so it gets it', () => {
  const { body } = sent([{ text: 'hm', thought: true, thoughtSignature: CLAUDES }], 'newapi')
  expect(body.contents[1].parts[0].thoughtSignature).toBe(CLAUDES)
})
