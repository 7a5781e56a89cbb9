import { expect, test } from 'vitest'
import { splitList } from './comma-list.ts'

test.each([
  ['gpt-4o,gpt-4o-mini', ['gpt-4o', 'gpt-4o-mini']],
  ['gpt-4o，gpt-4o-mini', ['gpt-4o', 'gpt-4o-mini']],
  [' 默认 ，vip, 默认\n', ['默认', 'vip']],
  ['a\r\nb，\n，c', ['a', 'b', 'c']],
  ['org/model:free', ['org/model:free']],
])('%j is split at commas of both kinds and line ends', (text, elements) => {
  expect(splitList(text)).toEqual(elements)
})
