import { expect, test } from 'vitest'
import { channelWith, settingsWith, upstreamError } from '../../../../test/relay/parts.ts'
import { verdictOfError, verdictOfStatus } from './verdict.ts'

const context = { channel: channelWith(), settings: settingsWith() }
const errorWith = (status: number) => upstreamError({ status })

test.each([
  [429, true],
  [307, true],
  [500, true],
  [503, true],
  [504, false],
  [524, false],
  [400, false],
  [408, false],
  [401, true],
  [403, true],
  [404, true],
])('whether status %i is retryable: %s', (status, isRetryable) => {
  expect(verdictOfError(errorWith(status), context).isRetryable).toBe(isRetryable)
})

test('a 400 from Anthropic is retryable, because the channel may be the cause', () => {
  const channel = channelWith({ type: 14 })
  expect(verdictOfError(errorWith(400), { ...context, channel }).isRetryable).toBe(true)
})

test('status mapping applies before retry and evidence are decided, and to the response', () => {
  const channel = channelWith({
    statusMapping: new Map([
      [400, 500],
      [401, 429],
    ]),
  })
  const mapped = verdictOfError(errorWith(400), { ...context, channel })
  expect([mapped.status, mapped.isRetryable]).toEqual([500, true])
  expect(verdictOfError(errorWith(401), { ...context, channel }).evidence).toBe('none')
})

test('a channel key is removed from every text of an upstream error', () => {
  const channel = channelWith({ keys: ['s3cret.key'] })
  const words = { message: 'no s3cret.key', type: 's3cret.key', code: 's3cret.key!', param: 'x s3cret.key' }
  const failure = verdictOfError(upstreamError(words), { ...context, channel })
  expect(JSON.stringify(failure)).not.toContain('s3cret')
})

test('a caller always gets an error status', () => {
  expect(verdictOfError(errorWith(307), context).status).toBe(502)
})

test('keywords for automatic disabling are also found in a hidden upstream error', () => {
  const settings = settingsWith({ isUpstreamErrorHidden: true, automaticDisableKeywords: ['credit balance'] })
  const error = upstreamError({ status: 400, message: 'Your Credit Balance is too low' })
  const failure = verdictOfError(error, { ...context, settings })
  expect(failure.evidence).toBe('likely')
  expect(failure.answer).toMatchObject({ type: 'problem', problem: { code: 'upstream_error_hidden' } })
  expect(failure.detail).toContain('Credit Balance')
})

test('keywords for automatic disabling are also searched in the error code', () => {
  const settings = settingsWith({ automaticDisableKeywords: ['arrearage'] })
  const bytes = Buffer.from('{"code":"Arrearage","message":"Access denied.","request_id":"r"}')
  const failure = verdictOfStatus({ status: 400, bytes, retryAfterMs: undefined }, { ...context, settings })
  expect(failure).toMatchObject({ evidence: 'likely', code: 'Arrearage', detail: 'Access denied.' })
})

test.each([
  [{ status: 401 }, 'certain'],
  [{ status: 400, code: 'invalid_api_key' }, 'certain'],
  [{ status: 400, code: 'account_deactivated' }, 'certain'],
  [{ status: 403, type: 'insufficient_user_quota' }, 'likely'],
  [{ status: 403, type: 'permission_error' }, 'likely'],
  [{ status: 403 }, 'none'],
  [{ status: 500 }, 'none'],
])('%o is %s evidence against a key', (parts, evidence) => {
  expect(verdictOfError(upstreamError(parts), context).evidence).toBe(evidence)
})

test('text written by a model is no evidence against a key, because a caller can provoke it', () => {
  const settings = settingsWith({ automaticDisableKeywords: ['credit balance'] })
  const error = upstreamError({ status: 400, code: 'no_image', message: 'Your credit balance is too low' })
  expect(verdictOfError(error, { ...context, settings }).evidence).toBe('none')
})

test('a 403 from Gemini is certain evidence', () => {
  const channel = channelWith({ type: 24 })
  expect(verdictOfError(errorWith(403), { ...context, channel }).evidence).toBe('certain')
})

test('a failure has the wait that the upstream asked for', () => {
  const answer = { status: 429, bytes: Buffer.from('{}'), retryAfterMs: 7_000 }
  expect(verdictOfStatus(answer, context).retryAfterMs).toBe(7_000)
})

test('a known refusal is written in the caller’s dialect but judged by the upstream’s status', () => {
  const error = upstreamError({ status: 529, type: 'overloaded_error', message: 'Overloaded' })
  const failure = verdictOfError(error, { ...context, dialect: 'gemini' })
  expect(failure).toMatchObject({ status: 529, answer: { type: 'upstream', status: 503 } })
  const long = upstreamError({ status: 400, message: 'prompt is too long: 9 tokens > 8 maximum by vendor x' })
  const settings = settingsWith({ isUpstreamErrorHidden: true })
  const hidden = verdictOfError(long, { ...context, settings, dialect: 'anthropic' })
  expect(hidden.answer).toMatchObject({ error: { message: 'prompt is too long: 9 tokens > 8 maximum' } })
  expect(verdictOfError(long, context).answer).toMatchObject({ error: long })
})

test('a status mapped by the operator is kept, even for a translated error', () => {
  const channel = channelWith({ statusMapping: new Map([[529, 500]]) })
  const error = upstreamError({ status: 529, message: 'Overloaded' })
  const { status, answer } = verdictOfError(error, { ...context, channel, dialect: 'openai' })
  expect(status).toBe(500)
  expect(answer).not.toHaveProperty('status')
})
