import { readAsk } from '@tollgate/dialects/ask'
import type { OpenAiOperation } from '@tollgate/dialects/openai/operation'
import { describe, expect, it } from 'vitest'
import { defaultChannelSettings } from '../channel-settings.ts'
import { providerById } from '../index.ts'
import { compileOverride } from '../override/override.ts'
import { prepareAttempt } from '../../test/prepare-attempt.ts'
import type { AttemptInput } from './attempt-input.ts'
import type { Provider, Upstream } from '../provider.ts'

interface Given extends Partial<Omit<AttemptInput, 'ask' | 'upstream' | 'provider' | 'operation'>> {
  readonly id?: string
  readonly operation?: OpenAiOperation
  readonly upstream?: Partial<Upstream>
}

function provider(id: string): Provider {
  return providerById(id) ?? expect.fail(`${id} is a provider`)
}

function prepare(body: string | object, given: Given = {}) {
  const { id = 'openai', upstream, operation = 'chat', ...rest } = given
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const ask = readAsk(operation, bytes)
  const input: AttemptInput = {
    provider: provider(id),
    upstream: {
      channelId: 1,
      type: provider(id).type,
      baseUrl: '',
      key: 'sk-k',
      other: '',
      organization: '',
      createdTime: 1_760_000_000,
      settings: defaultChannelSettings,
      ...upstream,
    },
    operation,
    ask,
    model: ask.model,
    isStream: ask.isStream,
    query: new URLSearchParams(),
    ...rest,
  }
  return { ask, ...prepareAttempt(input) }
}

const ODD =
  '{ "model":"gpt-4o", "seed": 12345678901234567890, "x": 1.0 ,"messages":[{"role":"user","content":"\\u00e9"}]}'

describe('request body', () => {
  it('is the original buffer when nothing has to change', () => {
    const { body, ask } = prepare(ODD)
    expect(body).toBe(ask.bytes)
  })

  it('keeps all bytes except those that have to change', () => {
    const { body, model } = prepare(ODD, { model: 'gpt-4o-2024' })
    expect(body.toString()).toBe(ODD.replace('"gpt-4o"', '"gpt-4o-2024"'))
    expect(model).toBe('gpt-4o-2024')
  })

  it('requests the usage of streams and keeps the other stream options of the client', () => {
    const streaming = ODD.replace('{ ', '{"stream":true,"stream_options":{"include_obfuscation":false}, ')
    const { body } = prepare(streaming)
    expect(JSON.parse(body.toString())).toMatchObject({
      stream_options: { include_obfuscation: false, include_usage: true },
    })
    const reported = ODD.replace('{ ', '{"stream":true,"stream_options":{"include_usage":true}, ')
    expect(prepare(reported).body.toString()).toBe(reported)
    expect(prepare(streaming, { forcesUsage: false }).body.toString()).toBe(streaming)
  })

  it('has no stream options where the provider does not support them', () => {
    const streaming = ODD.replace('{ ', '{"stream":true,"stream_options":{"include_usage":true}, ')
    expect(prepare(streaming, { id: 'yi' }).body.toString()).not.toContain('stream_options')
  })

  it('requests a whole response from a channel that cannot stream', () => {
    const { body, headers } = prepare(ODD.replace('{ ', '{"stream":true, '), { isStream: false })
    expect(body.toString()).toContain('"stream":false')
    expect(headers['accept']).toBe('application/json')
  })

  it('has the override merged last, except members that would change how the response is read', () => {
    const parameterOverride = compileOverride(
      JSON.parse('{"temperature":0.1,"stream":true,"__proto__":{"n":9},"constructor":1,"model":"mine"}'),
    )
    const { body, model } = prepare(ODD, { parameterOverride })
    const sent = JSON.parse(body.toString())
    expect(sent).toMatchObject({ temperature: 0.1, model: 'mine' })
    expect(Object.keys(sent)).toEqual(['model', 'seed', 'x', 'messages', 'temperature'])
    expect(model).toBe('mine')
  })

  it('is passed through unchanged in pass-through mode, except for the model name', () => {
    const reasoning = '{"model":"o1","max_tokens":5,"messages":[{"role":"system","content":"a"}]}'
    const parameterOverride = compileOverride({ a: 1 })
    const { body } = prepare(reasoning, { model: 'o1-x', isPassThrough: true, parameterOverride })
    expect(body.toString()).toBe(reasoning.replace('"o1"', '"o1-x"'))
  })
})

describe('a misconfigured channel', () => {
  it.each<[string, Given, string]>([
    ['no base URL', { id: 'azure' }, 'channel_base_url_missing'],
    ['a key with a line break', { upstream: { key: 'sk-a\r\nx-evil: 1' } }, 'channel_key_invalid'],
    ['an empty key', { upstream: { key: '' } }, 'channel_key_invalid'],
    ['too many parts', { id: 'baidu-v2', upstream: { key: 'a|b|c' } }, 'channel_key_invalid'],
    ['an empty part', { id: 'baidu-v2', upstream: { key: 'a|' } }, 'channel_key_invalid'],
    ['no account', { id: 'cloudflare' }, 'channel_other_missing'],
    ['an operation it does not offer', { id: 'jina' }, 'api_not_implemented'],
  ])('the key parser says what is wrong: %s', (_name, given, code) => {
    expect(() => prepare(ODD, given)).toThrow(expect.objectContaining({ code }))
  })

  it('a self-hosted server needs no key', () => {
    expect(prepare(ODD, { id: 'ollama', upstream: { key: '' } }).url).toBe('http://localhost:11434/api/chat')
  })
})

describe('upstream URL', () => {
  it.each<[string, Given, string]>([
    ['a trailing slash', { upstream: { baseUrl: 'https://a.test/' } }, 'https://a.test/v1/chat/completions'],
    [
      'a version at the end',
      { upstream: { baseUrl: 'https://a.test/v1' } },
      'https://a.test/v1/chat/completions',
    ],
    [
      'a gateway in front',
      { upstream: { baseUrl: 'https://gateway.ai.cloudflare.com/v1/acct/gw/openai' } },
      'https://gateway.ai.cloudflare.com/v1/acct/gw/openai/chat/completions',
    ],
    [
      'a gateway in front of Azure',
      {
        id: 'azure',
        upstream: { baseUrl: 'https://gateway.ai.cloudflare.com/v1/acct/gw/azure-openai/unit' },
      },
      'https://gateway.ai.cloudflare.com/v1/acct/gw/azure-openai/unit/gpt-4o/chat/completions?api-version=2025-04-01-preview',
    ],
    [
      'an old deployment, and a version by query',
      {
        id: 'azure',
        model: 'gpt-3.5-turbo',
        query: new URLSearchParams('api-version=2024-02-01&key=secret'),
        upstream: { baseUrl: 'https://u.test', createdTime: 1_700_000_000 },
      },
      'https://u.test/openai/deployments/gpt-35-turbo/chat/completions?api-version=2024-02-01',
    ],
    [
      'a name that would leave its segment',
      { id: 'azure', model: '../x?y', upstream: { baseUrl: 'https://u.test', other: '1&a=2' } },
      'https://u.test/openai/deployments/..%2Fx%3Fy/chat/completions?api-version=1%26a%3D2',
    ],
    [
      'an endpoint of a model',
      { id: 'volcano', model: 'ep-1' },
      'https://ark.cn-beijing.volces.com/api/v3/chat/completions',
    ],
    [
      'a beta base',
      { id: 'deepseek', operation: 'completions', upstream: { baseUrl: 'https://api.deepseek.com/beta' } },
      'https://api.deepseek.com/beta/completions',
    ],
  ])('%s leads to the right URL', (_name, given, url) => {
    const body = given.operation === 'completions' ? { model: 'm', prompt: 'a' } : ODD
    expect(prepare(body, given).url).toBe(url)
  })
})

const MESSAGES = [{ role: 'user', content: 'hi' }]

describe('dropped members', () => {
  it('are reported when a conversion drops them', () => {
    const { dropped } = prepare(
      {
        model: 'claude-sonnet-4-5',
        messages: MESSAGES,
        seed: 1,
        temperature: 1,
        top_p: 0.5,
        chat_template_kwargs: {},
      },
      { id: 'anthropic' },
    )
    expect(dropped).toEqual(['seed', 'chat_template_kwargs', 'top_p'])
  })

  it("are reported when a quirk removes them within the client's own format", () => {
    const { body, dropped } = prepare({ model: 'o3', messages: MESSAGES, temperature: 1, store: true })
    expect(body.toString()).not.toContain('temperature')
    expect(dropped).toEqual(['temperature'])
  })

  it('are reported when the channel forbids them', () => {
    const { dropped } = prepare({
      model: 'gpt-4o',
      messages: MESSAGES,
      service_tier: 'priority',
      store: false,
    })
    expect(dropped).toEqual(['service_tier'])
  })

  it('are not reported when a provider renames a member or the client did not send it', () => {
    expect(prepare({ model: 'm', messages: MESSAGES, seed: 1 }, { id: 'mistral' }).dropped).toEqual([])
    expect(prepare({ model: 'claude-3-5-sonnet', messages: MESSAGES }, { id: 'anthropic' }).dropped).toEqual(
      [],
    )
  })

  it('never contain names that are invalid in a header', () => {
    const odd = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`x${at}\r\nset-cookie`, 1]))
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`x_${at}`, 1]))
    const { dropped } = prepare({ model: 'm', messages: MESSAGES, ...odd, ...many }, { id: 'anthropic' })
    expect(dropped).toHaveLength(32)
    expect(dropped.every((name) => /^x_\d+$/.test(name))).toBe(true)
  })
})
