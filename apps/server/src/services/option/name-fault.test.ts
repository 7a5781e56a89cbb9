import { expect, test } from 'vitest'
import { findNameFault } from './name-fault.ts'

test.each([
  ['{"a":1,"a":2}', 'a'],
  ['{"a":{"b":1,"b":2}}', 'b'],
  ['[{"a":1},{"a":1,"a":1}]', 'a'],
  [String.raw`{"a\"":1,"\u0061\"":2}`, 'a"'],
  ['{"x":{"a":1},"a":1,"y":[1],"a":2}', 'a'],
  ['{"a":1," a ":2}', ' a '],
  ['{"__proto__":1}', '__proto__'],
  ['{"x":{"constructor":1}}', 'constructor'],
])('%s has a name that cannot stay', (text, name) => {
  expect(findNameFault('ModelRatio', text)).toBe(JSON.stringify(name))
})

test.each([
  '{"a":1,"b":{"a":1}}',
  '[{"a":1},{"a":1}]',
  '{"a":"b","b":"a"}',
  String.raw`{"a":"\"a\":{","b":1}`,
  '"a"',
  '5',
  '{}',
])('%s has every name once', (text) => {
  expect(findNameFault('ModelRatio', text)).toBeUndefined()
})

test.each(['{"a,b":1}', '{"default":1,"a，b":1}', '{"a\\nb":1}'])(
  'a group cannot be named as in %s',
  (text) => {
    expect(findNameFault('GroupRatio', text)).toBeDefined()
    expect(findNameFault('ModelRatio', text)).toBeUndefined()
  },
)
