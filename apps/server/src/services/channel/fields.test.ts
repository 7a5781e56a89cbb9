import { describe, expect, it } from 'vitest'
import { readFields } from './fields.ts'

const OPENAI = { type: 1 }
const CUSTOM = { type: 8 }
const LABEL = { en: 'Place', zh: '地区' }

describe('readFields', () => {
  it('leaves fields alone that were not sent', () => {
    expect(readFields({}, OPENAI)).toEqual({})
  })

  it('keeps a model once that is listed twice', () => {
    expect(readFields({ models: 'gpt-4o, gpt-4o-mini\ngpt-4o,' }, OPENAI)).toEqual({
      models: 'gpt-4o,gpt-4o-mini',
    })
  })

  it('does not clear name, models and groups, which a channel always has', () => {
    expect(readFields({ name: '', models: '', group: '' }, OPENAI)).toEqual({})
    expect(() => readFields({ models: ' , ' }, OPENAI)).toThrow('channel_models_missing')
  })

  it('clears every other field and sets numbers back to 0', () => {
    const cleared = {
      base_url: '',
      other: '',
      tag: '',
      priority: 0,
      weight: 0,
      auto_ban: 0,
      model_mapping: '',
    }
    expect(readFields(cleared, OPENAI)).toEqual(cleared)
  })

  it('reads null as the default', () => {
    expect(readFields({ priority: null, weight: null, auto_ban: null, tag: null }, OPENAI)).toEqual({
      priority: 0,
      weight: 0,
      auto_ban: 1,
      tag: '',
    })
  })

  it.each([
    ['https://api.example.com/', 'https://api.example.com'],
    ['http://10.0.0.1:8080/base//', 'http://10.0.0.1:8080/base'],
  ])('removes the trailing slash of %s', (address, stored) => {
    expect(readFields({ base_url: address }, OPENAI)).toEqual({ base_url: stored })
  })

  it.each([
    'api.example.com',
    'ftp://x',
    'file:///etc/passwd',
    'https://user:pw@x',
    'https://x/#a',
    'https://x/?a=1',
  ])('rejects the address %s', (address) => {
    expect(() => readFields({ base_url: address }, OPENAI)).toThrow('channel_base_url_invalid')
  })

  it('accepts a full address with query for a custom channel', () => {
    const address = 'https://x.example/{model}/chat?version=1'
    expect(readFields({ base_url: address }, CUSTOM)).toEqual({ base_url: address })
  })

  it('rejects an address whose host consists of the model name', () => {
    for (const address of ['https://{model}/chat', 'https://x.{model}', 'https://{model}.example'])
      expect(() => readFields({ base_url: address }, CUSTOM)).toThrow('channel_base_url_invalid')
    const below = 'https://{model}.models.example/chat'
    expect(readFields({ base_url: below }, CUSTOM)).toEqual({ base_url: below })
  })

  it('stores the provider’s usual value when its extra field is empty', () => {
    const kind = { type: 18, other: { label: LABEL, usual: 'v2.1' } }
    expect(readFields({ other: ' ' }, kind)).toEqual({ other: 'v2.1' })
    expect(readFields({ other: 'v3.5' }, kind)).toEqual({ other: 'v3.5' })
    expect(readFields({}, kind)).toEqual({})
  })

  it('accepts a region per model, with a default, where the provider supports it', () => {
    const kind = { type: 41, other: { label: LABEL, isByModel: true } } as const
    const places = '{"default":"us-central1","claude":"us-east5"}'
    expect(readFields({ other: places }, kind)).toEqual({ other: places })
    expect(readFields({ other: 'global' }, kind)).toEqual({ other: 'global' })
    expect(() => readFields({ other: '{"claude":"us-east5"}' }, kind)).toThrow('channel_default_missing')
    expect(() => readFields({ other: '{"default":' }, kind)).toThrow('channel_json_invalid')
    expect(() => readFields({ other: '{"default":""}' }, kind)).toThrow('channel_mapping_invalid')
  })

  it('rejects model names over 255 bytes and groups over 64 characters', () => {
    expect(() => readFields({ models: '模'.repeat(86) }, OPENAI)).toThrow('channel_model_too_long')
    expect(() => readFields({ group: 'g'.repeat(65) }, OPENAI)).toThrow('channel_group_invalid')
  })

  it.each(['tag', 'test_model', 'model_prefix', 'openai_organization'])(
    'rejects a line break in %s',
    (field) => {
      expect(() => readFields({ [field]: 'a\r\nb' }, OPENAI)).toThrow('channel_text_invalid')
    },
  )
})
