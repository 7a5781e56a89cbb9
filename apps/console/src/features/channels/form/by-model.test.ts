import { expect, it } from 'vitest'
import { isIncompleteModelTable, defaultOfTable } from './by-model.ts'

it.each([
  ['us-central1', false],
  ['', false],
  ['{"default":"us-central1","claude":"us-east5"}', false],
  ['{"claude":"us-east5"}', true],
  ['{"default":""}', true],
  ['{"default":"a","claude":1}', true],
  ['{"default":', true],
])('%s leaves some model without a region: %s', (text, isFaulty) => {
  expect(isIncompleteModelTable(text)).toBe(isFaulty)
})

it('keeps the default region when one text replaces the table', () => {
  expect(defaultOfTable('{"default":"us-central1","claude":"us-east5"}')).toBe('us-central1')
  expect(defaultOfTable('{')).toBe('')
})
