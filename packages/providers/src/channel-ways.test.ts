import { readAsk } from '@tollgate/dialects/ask'
import type { ConversationOperation } from '@tollgate/dialects/conversations'
import { expect, it } from 'vitest'
import { defaultChannelSettings, readChannelSettings } from './channel-settings.ts'
import { providerById } from './index.ts'
import { prepareAttempt } from '../test/prepare-attempt.ts'
import { resolveEndpoint } from './prepare/resolve-endpoint.ts'
import type { Upstream } from './provider.ts'

/**
 * A case in which the channel's key, its setting or the model decides which endpoint of a provider is called.
 */

interface Given {
  readonly id: string
  readonly model: string
  readonly upstream?: Partial<Upstream>
  readonly operation?: ConversationOperation
  readonly isPassThrough?: boolean
}

const bodies: Readonly<Record<ConversationOperation, object>> = {
  chat: { messages: [{ role: 'user', content: 'hi' }] },
  messages: { max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] },
  responses: { input: 'hi' },
  generate: { contents: [{ parts: [{ text: 'hi' }] }] },
}

function sent({ id, model, upstream: parts = {}, operation = 'chat', isPassThrough = false }: Given) {
  const kind = providerById(id) ?? expect.fail(`${id} is a provider`)
  const upstream = {
    channelId: 1,
    type: kind.type,
    baseUrl: '',
    key: 'sk-1',
    other: '',
    organization: '',
    createdTime: 2_000_000_000,
    settings: defaultChannelSettings,
    ...parts,
  }
  const provider = kind.forChannel?.(upstream) ?? kind
  const ask = readAsk(operation, Buffer.from(JSON.stringify({ model, ...bodies[operation] })))
  return prepareAttempt({
    provider,
    upstream,
    operation,
    ask,
    model,
    isStream: false,
    isPassThrough,
    query: new URLSearchParams(),
  })
}

const AZURE = 'https://mine.openai.azure.com'

it.each<[Given, string]>([
  [{ id: 'hunyuan', model: 'hunyuan-lite' }, 'https://tokenhub.tencentmaas.com/v1/chat/completions'],
  [
    { id: 'hunyuan', model: 'm', upstream: { baseUrl: 'https://hunyuan.tencentcloudapi.com' } },
    'https://tokenhub.tencentmaas.com/v1/chat/completions',
  ],
  [{ id: 'hunyuan', model: 'm', upstream: { key: '1|2|3' } }, 'https://hunyuan.tencentcloudapi.com/'],
  [
    { id: 'vertex', model: 'gemini-2.5-flash', upstream: { key: 'AQ.key' } },
    'https://aiplatform.googleapis.com/v1/publishers/google/models/gemini-2.5-flash:generateContent',
  ],
  // Models that OpenAI serves only at Responses are called there, whichever API the client uses.
  [
    { id: 'azure', model: 'gpt-5.3-codex', upstream: { baseUrl: AZURE } },
    `${AZURE}/openai/v1/responses?api-version=preview`,
  ],
  [{ id: 'openai', model: 'o1-pro', operation: 'messages' }, 'https://api.openai.com/v1/responses'],
  [{ id: 'openai', model: 'gpt-6-sol', operation: 'generate' }, 'https://api.openai.com/v1/chat/completions'],
  [{ id: 'openai', model: 'my-model' }, 'https://api.openai.com/v1/chat/completions'],
  [{ id: 'openai', model: 'o1-pro', isPassThrough: true }, 'https://api.openai.com/v1/chat/completions'],
  [
    {
      id: 'openai',
      model: 'o1-pro',
      upstream: { settings: readChannelSettings({ model_traits: { 'o1-*': { responses_for: [] } } }) },
    },
    'https://api.openai.com/v1/chat/completions',
  ],
  // Resellers and gateways choose the endpoint themselves, so this does not apply to them.
  [{ id: 'openrouter', model: 'openai/o1-pro' }, 'https://openrouter.ai/api/v1/chat/completions'],
  [
    { id: 'newapi', model: 'o1-pro', upstream: { baseUrl: 'https://gate.example' } },
    'https://gate.example/v1/chat/completions',
  ],
  [
    { id: 'azure', model: 'gpt-5', operation: 'responses', upstream: { baseUrl: AZURE } },
    `${AZURE}/openai/v1/responses?api-version=preview`,
  ],
  [
    {
      id: 'azure',
      model: 'gpt-5',
      operation: 'responses',
      upstream: { baseUrl: AZURE, settings: readChannelSettings({ azure_responses_version: '2026-01-01' }) },
    },
    `${AZURE}/openai/v1/responses?api-version=2026-01-01`,
  ],
  [
    {
      id: 'azure',
      model: 'gpt-5',
      operation: 'responses',
      upstream: { baseUrl: 'https://mine.cognitiveservices.azure.com', other: '2025-05-01' },
    },
    'https://mine.cognitiveservices.azure.com/openai/responses?api-version=2025-05-01',
  ],
  [
    { id: 'qwen', model: 'qwen3-max', operation: 'messages' },
    'https://dashscope.aliyuncs.com/apps/anthropic/v1/messages',
  ],
  [
    { id: 'qwen', model: 'qwen3-max', operation: 'responses' },
    'https://dashscope.aliyuncs.com/api/v2/apps/protocols/compatible-mode/v1/responses',
  ],
  [
    { id: 'qwen', model: 'llama-4', operation: 'messages' },
    'https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions',
  ],
  [{ id: 'deepseek', model: 'deepseek-chat', operation: 'responses' }, 'https://api.deepseek.com/responses'],
  [
    {
      id: 'cloudflare',
      model: '@cf/openai/gpt-oss-120b',
      operation: 'responses',
      upstream: { other: 'acc' },
    },
    'https://api.cloudflare.com/client/v4/accounts/acc/ai/v1/responses',
  ],
  [
    {
      id: 'anthropic',
      model: 'claude-opus-4-6',
      upstream: { settings: readChannelSettings({ claude_beta_query: true }) },
    },
    'https://api.anthropic.com/v1/messages?beta=true',
  ],
  [
    { id: 'bedrock', model: 'meta.llama4-x', upstream: { key: 'api-key|eu-west-1' } },
    'https://bedrock-runtime.eu-west-1.amazonaws.com/model/meta.llama4-x/converse',
  ],
])('%j goes to %s', (given, url) => {
  expect(sent(given).url).toBe(url)
})

it('sends a plain key in the header that the vendor expects', () => {
  expect(sent({ id: 'hunyuan', model: 'm' }).headers).toMatchObject({ authorization: 'Bearer sk-1' })
  const express = sent({ id: 'vertex', model: 'gemini-2.5-flash', upstream: { key: 'AQ.key' } })
  expect(express.headers).toMatchObject({ 'x-goog-api-key': 'AQ.key' })
  expect(express.headers).not.toHaveProperty('authorization')
  const bedrock = sent({ id: 'bedrock', model: 'nova-pro-v1:0', upstream: { key: 'api-key|eu-west-1' } })
  expect(bedrock.headers).toMatchObject({ authorization: 'Bearer api-key' })
})

it('unwraps the envelope of responses to enterprise accounts', () => {
  const provider = providerById('openrouter') ?? expect.fail()
  const answer = { choices: [] }
  const { adjustAnswer } = resolveEndpoint(provider, 'chat')?.endpoint ?? {}
  expect(adjustAnswer?.({ success: true, data: answer })).toEqual(answer)
  expect(adjustAnswer?.(answer)).toBe(answer)
})

it('lists the models of the endpoint that the key belongs to', () => {
  const provider = providerById('hunyuan') ?? expect.fail()
  const upstream = {
    baseUrl: 'https://hunyuan.tencentcloudapi.com',
    key: 'sk-1',
    settings: defaultChannelSettings,
  }
  const { modelList } = provider.forChannel?.(upstream) ?? provider
  const whole = { channelId: 1, type: 23, other: '', organization: '', createdTime: 0, ...upstream }
  expect(modelList?.url(whole)).toBe('https://tokenhub.tencentmaas.com/v1/models')
})
