import { StaleConnectionError } from '@tollgate/egress/stale-connection-error'
import { expect, test } from 'vitest'
import { canResend, type ResendInput } from './resend.ts'

interface Variation {
  readonly afterMs?: number
  readonly unreadMs?: number
  readonly resendsClosed?: boolean
  readonly operation?: ResendInput['prepared']['operation']
  readonly model?: string
  readonly body?: object | string
  readonly isResendable?: true | undefined
  readonly call?: Partial<ResendInput['held']['call']>
  readonly isHeld?: boolean
  readonly now?: number
  readonly error?: Error
}

function isResent(variation: Variation = {}): boolean {
  const { afterMs = 0.5, unreadMs = 1, resendsClosed = false, operation = 'chat', model = 'm' } = variation
  const { body = { model: 'm' }, isHeld = true, now = 1_000 } = variation
  const isResendable = 'isResendable' in variation ? variation.isResendable : true
  const error = variation.error ?? new StaleConnectionError(new Error('closed'), { afterMs, unreadMs })
  const call = { id: 'c', hasResent: false, isGone: false, startedAt: 0, ...variation.call }
  return canResend(error, {
    held: { call, operation: isResendable === undefined ? {} : { isResendable } },
    channel: { settings: { resendsClosed } },
    prepared: {
      body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
      model,
      operation,
      endpoint: {},
    },
    app: { ledger: { isHeld: () => isHeld }, limits: { retryMs: 600_000 }, now: () => now },
  })
}

test.each<[number, number, { readonly usually: boolean; readonly allowed: boolean }]>([
  [0.5, 1, { usually: true, allowed: true }],
  [1, 1, { usually: false, allowed: true }],
  [79, 80, { usually: true, allowed: true }],
  [5, 1, { usually: false, allowed: true }],
  [40, 1, { usually: false, allowed: true }],
  [250, 1, { usually: false, allowed: true }],
  [251, 1, { usually: false, allowed: false }],
  [300, 1, { usually: false, allowed: false }],
  [300, 350, { usually: true, allowed: true }],
])('a close %d ms after the write to a vendor %d ms away', (afterMs, unreadMs, { usually, allowed }) => {
  expect(isResent({ afterMs, unreadMs })).toBe(usually)
  expect(isResent({ afterMs, unreadMs, resendsClosed: true })).toBe(allowed)
})

test('any other error is final', () => {
  expect(isResent({ error: new Error('reset'), resendsClosed: true })).toBe(false)
})

test.each<[string, Variation]>([
  ['was resent before', { call: { hasResent: true } }],
  ['has lost its caller', { call: { isGone: true } }],
  ['has lost its hold', { isHeld: false }],
  ['is past the retry time', { now: 600_000 }],
  ['is of an operation that may not run twice', { isResendable: undefined }],
])('a call that %s is not resent', (_, variation) => {
  expect(isResent({ ...variation, resendsClosed: true })).toBe(false)
})

const PLAIN: Readonly<Record<string, Variation>> = {
  'a chat': { body: { messages: [{ role: 'user', content: 'store: true, "modalities":["audio"]' }] } },
  'a chat with text alone': { body: { modalities: ['text'], store: false, tools: [{ type: 'function' }] } },
  'a chat whose members are null': { body: { store: null, modalities: null, conversation: null } },
  'a Gemini call for text': {
    body: { generationConfig: { responseModalities: ['TEXT'] } },
    operation: 'generate',
  },
  'a response that is not stored': { body: { store: false, background: false }, operation: 'responses' },
  'a chat with a known text model': { model: 'gpt-4o' },
  'a repeated member whose last value counts': { body: '{"store":true,"store":false}' },
}
const OTHERS: Readonly<Record<string, Variation>> = {
  'a stored chat': { body: { store: true } },
  'a response, which is stored by default': { body: { input: 'hi' }, operation: 'responses' },
  'a response that continues another': {
    body: { store: false, previous_response_id: 'resp_1' },
    operation: 'responses',
  },
  'a kept conversation': { body: { store: false, conversation: { id: 'conv_1' } }, operation: 'responses' },
  'a background response': { body: { store: false, background: true }, operation: 'responses' },
  'a container': { body: { container: 'c_1' } },
  'a chat that speaks': { body: { modalities: ['text', 'audio'] } },
  'a Gemini call that draws': { body: { generationConfig: { responseModalities: ['TEXT', 'IMAGE'] } } },
  'a Gemini call in snake case': { body: { generation_config: { response_modalities: ['AUDIO'] } } },
  'modalities that are no list': { body: { modalities: 'image' } },
  'a response that draws': {
    body: { store: false, tools: [{ type: 'image_generation' }] },
    operation: 'responses',
  },
  'a body that is no object': { body: '[1]' },
  'a body that is cut': { body: '{"model":"m"' },
}
test.each(Object.entries(PLAIN))('%s is resent', (_, variation) => {
  expect(isResent(variation)).toBe(true)
})
test.each(Object.entries(OTHERS))('%s is not resent', (_, variation) => {
  expect(isResent({ ...variation, resendsClosed: true })).toBe(false)
})
