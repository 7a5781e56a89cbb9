import { expect, test } from 'vitest'
import { statusMapping } from './channel.ts'
import { modelMapping } from './model-mapping.ts'

test('a mapping is followed to the end of its chain', () => {
  const mapping = modelMapping('{"a":"b","b":"c","x":"x","y":""}')
  expect([...mapping]).toEqual([
    ['a', 'c'],
    ['b', 'c'],
    ['x', 'x'],
  ])
})

test('a circle leads nowhere, and a model that maps to itself ends a chain', () => {
  const mapping = modelMapping('{"a":"b","b":"a","x":"a","c":"d","d":"d"}')
  expect([...mapping]).toEqual([
    ['a', undefined],
    ['b', undefined],
    ['x', undefined],
    ['c', 'd'],
    ['d', 'd'],
  ])
})

test('names that reach into prototypes are not names', () => {
  const mapping = modelMapping('{"__proto__":"x","constructor":"y","a":"b"}')
  expect([...mapping]).toEqual([['a', 'b']])
  expect(mapping.get('toString')).toBeUndefined()
})

test('a status mapping takes texts and numbers, and never makes a success of a failure', () => {
  expect([...statusMapping('{"400":"500","401":429,"500":"200","x":"500","404":"700"}')]).toEqual([
    [400, 500],
    [401, 429],
  ])
})
