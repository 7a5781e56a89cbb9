import { expect, it } from 'vitest'
import { jsonFaultText, jsonObjectFaultText, refusedText } from './json-fault.ts'

it.each([
  ['{"ada": 10,,', 'Line 1, column 12: A name in double quotes is expected here, not ,.'],
  ['{\n  "a": 1,\n}', 'Line 2, column 9: Nothing follows this comma: please remove it.'],
  ['{\n  "a": 1\n  "b": 2\n}', 'Line 3, column 3: A comma or the closing bracket is expected here, not "b".'],
  ['{"a" 1}', 'Line 1, column 6: A colon is expected after the name, not 1.'],
  ["{'a': 1}", 'Line 1, column 2: Names and texts need double quotes.'],
  ['{"a": 1.5x}', 'Line 1, column 7: A value is expected here, not 1.5x.'],
  ['{"a": "b\n}', 'Line 1, column 7: The text that begins here has no closing double quote on its line.'],
  [String.raw`{"a": "\d"}`, String.raw`Line 1, column 8: A backslash must be written twice: \\.`],
  ['{"a": [1, 2}', 'Line 1, column 12: A comma or the closing bracket is expected here, not }.'],
  ['{} {}', 'Line 1, column 4: The JSON ends before this; please remove { and what follows.'],
  ['{"a":', 'Line 1, column 6: A value is expected here, not the end of the text.'],
  ['', 'Line 1, column 1: A value is expected here, not the end of the text.'],
])('reports where %j is invalid JSON', (text, fault) => {
  expect(() => void JSON.parse(text)).toThrow()
  expect(jsonFaultText(text)).toBe(fault)
})

it.each(['{}', ' [1, -0.5, 1e9, 2E-3, true, false, null, "\\u00e9\\n", {"a": {"": []}}]\n', '"text"', '0'])(
  'accepts %j',
  (text) => {
    expect(() => void JSON.parse(text)).not.toThrow()
    expect(jsonFaultText(text)).toBeUndefined()
  },
)

it('requires an object where only an object is valid', () => {
  expect(jsonObjectFaultText(' \n')).toBeUndefined()
  expect(jsonObjectFaultText('{"a": 1}')).toBeUndefined()
  expect(jsonObjectFaultText('\n [1]')).toBe('Line 2, column 2: An object in braces is expected: {…}.')
})

it('reports the value that a schema rejects, with its position', () => {
  const text = '{\n  "gpt-4.1": 1,\n  "ada": "ten",\n  "o1": {"x": [1, -2]}\n}'
  expect(refusedText(text, ['ada'])).toBe('Line 3, column 10: "ten" is not accepted here.')
  expect(refusedText(text, ['o1', 'x', 1])).toBe('Line 4, column 19: -2 is not accepted here.')
  expect(refusedText(text, ['gpt-4.1', 'missing'])).toBe('Line 2, column 14: 1 is not accepted here.')
})
