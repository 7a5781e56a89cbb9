import { expect, test } from 'vitest'
import { openaiModels, readNames } from './model-list.ts'

test.each([
  ['objects', '{"data":[{"id":"b"},{"id":"a"},{"id":"a"},{"id":" c "},{"id":""},{}]}', ['b', 'a', 'c']],
  ['a list of objects', '[{"id":"a"},{"name":"b"}]', ['a', 'b']],
  ['a list of names', '["a"," b "]', ['a', 'b']],
  ['names', '{"data":["a","b"]}', ['a', 'b']],
  ['models with names', '{"models":[{"name":"a"},{"id":"b"}]}', ['a', 'b']],
  ['nothing', '{"data":null}', []],
  ['nothing beside an empty error', '{"data":[],"error":null}', []],
])('a response with %s is read', (_name, body, names) => {
  expect([...new Set(openaiModels().read(JSON.parse(body)))]).toEqual(names)
})

test('the member of the vendor comes before the usual ones', () => {
  expect(readNames({ models: [{ name: 'n', id: 'i' }] }, 'models', 'name')).toEqual(['n'])
  expect(readNames({ data: [{ name: 'n', id: 'i' }] }, 'data', 'id')).toEqual(['i'])
})
