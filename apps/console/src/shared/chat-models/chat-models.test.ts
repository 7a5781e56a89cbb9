import { expect, it } from 'vitest'
import { chatModels, type Offer } from './chat-models.ts'

const offer = (model: string, groups: readonly string[], types: readonly string[]): Offer => ({
  model_name: model,
  enable_groups: [...groups],
  supported_endpoint_types: [...types],
})
const offers = [
  offer('gpt-4o', ['default', 'vip'], ['chat', 'responses']),
  offer('claude-sonnet-4', ['vip'], ['messages']),
  offer('text-embedding-3-small', ['default'], ['embeddings']),
  offer('mj_imagine', ['default'], []),
]
const models = [...offers.map(({ model_name: name }) => name), 'brand-new']

it('offers models that can chat and are served in the selected group', () => {
  expect(chatModels(models, { offers, group: 'default' })).toEqual(['gpt-4o', 'brand-new'])
  expect(chatModels(models, { offers, group: 'vip' })).toEqual(['gpt-4o', 'claude-sonnet-4', 'brand-new'])
})

it('offers the models of every group when the gateway chooses the group', () => {
  expect(chatModels(models, { offers, group: 'auto' })).toEqual(['gpt-4o', 'claude-sonnet-4', 'brand-new'])
})

it('offers every model while the price list is unknown', () => {
  expect(chatModels(models, { offers: undefined, group: 'vip' })).toEqual(models)
})
