import { describe, expect, it } from 'vitest'
import { defaultChannelSettings } from '../channel-settings.ts'
import type { Outgoing, RequestQuirk, Upstream } from '../provider.ts'
import { clampTopP, withoutForeignTopK } from './sampling.ts'
import { claudeThinking } from './claude-thinking.ts'
import { defaults, onlyMembers, renameMember } from './body.ts'
import { onlyMessageMembers } from './messages.ts'
import { effortSuffix, modelSuffix } from './model-suffix.ts'
import { newerOutputLimit, olderOutputLimit } from './output-limit.ts'
import { chatByTraits, responsesByTraits } from './openai-traits.ts'

const upstream: Upstream = {
  channelId: 1,
  type: 1,
  baseUrl: '',
  key: '',
  other: '',
  organization: '',
  createdTime: 0,
  settings: defaultChannelSettings,
}

function outgoing(body: Record<string, unknown>): Outgoing {
  const model = typeof body['model'] === 'string' ? body['model'] : 'm'
  return { operation: 'chat', model, isStream: false, query: new URLSearchParams(), body: { model, ...body } }
}

/** Applies quirks to a frozen body, because no quirk may modify its argument. */
function apply(quirks: RequestQuirk | readonly RequestQuirk[], body: Record<string, unknown>): Outgoing {
  const list = typeof quirks === 'function' ? [quirks] : quirks
  return list.reduce((each, quirk) => quirk(each, upstream), frozen(outgoing(body)))
}

function frozen(out: Outgoing): Outgoing {
  Object.freeze(out.body)
  return Object.freeze(out)
}

function topKAt(baseUrl: string, isConverted: boolean) {
  return withoutForeignTopK(frozen({ ...outgoing({ top_k: 64 }), isConverted }), { ...upstream, baseUrl })
    .body
}

it('`top_k` of a converted call is dropped for OpenAI only, which refuses it', () => {
  expect(topKAt('https://api.openai.com', true)).toEqual({ model: 'm' })
  expect(topKAt('https://x.openai.azure.com', true)).toEqual({ model: 'm' })
  expect(topKAt('http://10.0.0.1:8000', true)).toEqual({ model: 'm', top_k: 64 })
  expect(topKAt('https://api.openai.com', false)).toEqual({ model: 'm', top_k: 64 })
})

describe('OpenAI reasoning models', () => {
  it('get the newer name of the output limit and no sampling parameters', () => {
    const { body } = apply(chatByTraits, {
      model: 'gpt-5-mini',
      max_tokens: 9,
      temperature: 0,
      top_p: 1,
      logprobs: true,
    })
    expect(body).toEqual({ model: 'gpt-5-mini', max_completion_tokens: 9 })
    const penalised = { model: 'o3', temperature: 0, top_p: 1, presence_penalty: 1, logit_bias: { 5: 1 } }
    expect(apply(chatByTraits, penalised).body).toEqual({ model: 'o3' })
  })

  it.each([
    ['o3-mini-high', 'o3-mini', 'high'],
    ['gpt-5.1-none', 'gpt-5.1', 'none'],
    ['gpt-5.2-xhigh', 'gpt-5.2', 'xhigh'],
    ['o1-xhigh', 'o1', 'high'],
    ['gpt-6.1-none', 'gpt-6.1', 'low'],
  ])('%s is a model name with an effort suffix', (name, model, effort) => {
    const out = apply(chatByTraits, { model: name })
    expect(out.model).toBe(model)
    expect(out.body).toMatchObject({ model, reasoning_effort: effort })
  })

  it.each([
    [undefined, { effort: 'high' }],
    [null, { effort: 'high' }],
    [{ summary: 'auto' }, { effort: 'high', summary: 'auto' }],
    [{ effort: 'low' }, { effort: 'low' }],
  ])('the effort suffix also applies to Responses requests with `reasoning` %j', (said, reported) => {
    const out = apply(responsesByTraits, {
      model: 'o3-mini-high',
      store: false,
      ...(said !== undefined && { reasoning: said }),
    })
    expect(out.body).toEqual({ model: 'o3-mini', store: false, reasoning: reported })
    expect(apply(responsesByTraits, { model: 'gpt-4o-high' }).model).toBe('gpt-4o-high')
  })

  it('an effort in the body takes precedence over the suffix', () => {
    expect(
      apply(chatByTraits, { model: 'o3-mini-high', reasoning_effort: 'low' }).body['reasoning_effort'],
    ).toBe('low')
  })

  it('requests for other models stay unchanged', () => {
    const before = outgoing({ model: 'gpt-4o-high', temperature: 0, max_tokens: 3 })
    expect(chatByTraits.reduce((each, quirk) => quirk(each, upstream), before)).toBe(before)
  })
})

describe('thinking suffixes of Claude models', () => {
  const thinking = { type: 'enabled', budget_tokens: 8000 }

  it.each([
    ['claude-3-7-sonnet-20250219-thinking', { max_tokens: 10_000, thinking }],
    ['claude-opus-4-6-thinking', { max_tokens: 10_000, thinking }],
    ['claude-opus-4-7-thinking', { max_tokens: 10_000, thinking: { type: 'adaptive' } }],
    ['claude-sonnet-5-thinking', { max_tokens: 10_000, thinking: { type: 'adaptive' } }],
    [
      'claude-opus-5-5-max',
      { max_tokens: 10_000, thinking: { type: 'adaptive' }, output_config: { effort: 'max' } },
    ],
    [
      'claude-opus-4-6-xhigh',
      { max_tokens: 10_000, thinking: { type: 'adaptive' }, output_config: { effort: 'high' } },
    ],
  ])('%s turns on thinking in the form that the model supports', (name, body) => {
    const out = apply(claudeThinking, { model: name, max_tokens: 10_000, temperature: 1, top_p: 0.5 })
    expect(out.body).toEqual({ ...body, model: name.replace(/-\w+$/, '') })
  })

  it('do not include efforts for models that only support budgets', () => {
    expect(apply(claudeThinking, { model: 'claude-opus-4-5-high' }).model).toBe('claude-opus-4-5-high')
  })
})

describe('output limits', () => {
  it('the newer limit takes precedence for vendors that only know the older name', () => {
    expect(apply(olderOutputLimit, { max_completion_tokens: 5, max_tokens: 9 }).body).toEqual({
      model: 'm',
      max_tokens: 5,
    })
    expect(apply(olderOutputLimit, { max_tokens: 9 }).body).toEqual({ model: 'm', max_tokens: 9 })
  })

  it('only the newer name is sent to models that refuse the older one', () => {
    const body = { max_completion_tokens: 5, max_tokens: 9 }
    expect(apply(newerOutputLimit, body).body).toEqual({ model: 'm', max_completion_tokens: 5 })
  })
})

describe('model suffixes', () => {
  it('are only removed from the models they belong to', () => {
    const quirk = modelSuffix({ models: /^a/, suffixes: { thinking: (body) => ({ ...body, think: true }) } })
    expect(apply(quirk, { model: 'a-1-thinking' })).toMatchObject({
      model: 'a-1',
      body: { model: 'a-1', think: true },
    })
    expect(apply(quirk, { model: 'b-thinking' }).model).toBe('b-thinking')
    expect(apply(effortSuffix(/^a/, ['high']), { model: 'ahigh' }).model).toBe('ahigh')
  })
})

describe('other quirks', () => {
  it('clampTopP changes only a value that was sent', () => {
    expect(apply(clampTopP({ min: 0.01, max: 0.99 }), {}).body).toEqual({ model: 'm' })
    expect(apply(clampTopP({ min: 0.01, max: 0.99 }), { top_p: 0 }).body['top_p']).toBe(0.01)
    expect(apply(clampTopP({ max: 0.99 }), { top_p: 0 }).body['top_p']).toBe(0)
  })

  it('defaults adds only missing members', () => {
    expect(
      apply(defaults({ usage: { include: true } }), { usage: { include: false } }).body['usage'],
    ).toEqual({ include: false })
  })

  it('onlyMembers keeps known members, including those with value 0', () => {
    expect(apply(onlyMembers('model', 'temperature'), { temperature: 0, odd: 1 }).body).toEqual({
      model: 'm',
      temperature: 0,
    })
    expect(apply(renameMember('seed', 'random_seed'), { seed: 0 }).body).toEqual({
      model: 'm',
      random_seed: 0,
    })
    const messages = [{ role: 'user', content: 'a' }]
    expect(apply(onlyMessageMembers('role', 'content'), { messages }).body['messages']).toBe(messages)
  })
})
