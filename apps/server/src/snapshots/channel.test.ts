import { expect, test } from 'vitest'
import { statusMapping } from './channel.ts'
import { modelMapping } from './model-mapping.ts'

test('a model mapping is followed to the end of its chain', () => {
  const mapping = modelMapping('{"a":"b","b":"c","x":"x","y":""}')
  expect([...mapping]).toEqual([
    ['a', 'c'],
    ['b', 'c'],
    ['x', 'x'],
  ])
})

test('a circular mapping resolves to nothing, and a model mapped to itself ends its chain', () => {
  const mapping = modelMapping('{"a":"b","b":"a","x":"a","c":"d","d":"d"}')
  expect([...mapping]).toEqual([
    ['a', undefined],
    ['b', undefined],
    ['x', undefined],
    ['c', 'd'],
    ['d', 'd'],
  ])
})

test('a mapping ignores names such as `__proto__` and `constructor`', () => {
  const mapping = modelMapping('{"__proto__":"x","constructor":"y","a":"b"}')
  expect([...mapping]).toEqual([['a', 'b']])
  expect(mapping.get('toString')).toBeUndefined()
})

test('a status mapping accepts strings and numbers, and never turns a failure into a success', () => {
  expect([...statusMapping('{"400":"500","401":429,"500":"200","x":"500","404":"700"}')]).toEqual([
    [400, 500],
    [401, 429],
  ])
})
