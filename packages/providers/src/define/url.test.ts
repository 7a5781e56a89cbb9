import { expect, it } from 'vitest'
import { isAddressForModels, withModel } from './url.ts'

it.each([
  ['https://a.example/{model}/chat', 'gpt/4 o', 'https://a.example/gpt%2F4%20o/chat'],
  ['/deployments/{model}', '../x', '/deployments/..%2Fx'],
  ['https://{model}.models.a.example/v1', 'gpt-4.1', 'https://gpt-4.1.models.a.example/v1'],
  ['https://m-{model}.a.example:8443/{model}', 'gpt-4o', 'https://m-gpt-4o.a.example:8443/gpt-4o'],
])('%s with the model filled in is %s', (address, model, url) => {
  expect(withModel(address, model)).toBe(url)
})

it.each([
  ['https://{model}/chat', 'evil.example'],
  ['https://{model}.example/chat', 'evil'],
  ['https://a.{model}/chat', 'evil.example'],
  ['https://a.example:{model}/chat', '1'],
  ['https://{model}.a.example@{model}/chat', 'evil.example'],
  ['https://{model}.a.example/chat', 'evil.example/'],
  ['https://{model}.a.example/chat', 'evil.example#'],
  ['https://{model}.a.example/chat', 'x@evil.example:1'],
  ['https://{model}.a.example/chat', 'x%2f'],
])('%s is refused with model %s, which would change the host', (address, model) => {
  expect(() => withModel(address, model)).toThrow('destination_invalid')
})

it('an address may contain the model when its domain is fixed', () => {
  expect(isAddressForModels('https://a.example/{model}')).toBe(true)
  expect(isAddressForModels('/{model}')).toBe(true)
  expect(isAddressForModels('https://{model}.models.example')).toBe(true)
  expect(isAddressForModels('https://{model}.example')).toBe(false)
  expect(isAddressForModels('https://a.example:{model}')).toBe(false)
})
