import { expect, it } from 'vitest'
import { patternOf, typedOf } from './name-pattern.ts'

const known = ['gpt-4o', 'gpt-4o-mini']

it.each([
  ['gpt-4', '%gpt-4%'],
  [' mini ', '%mini%'],
  ['gpt-4o', 'gpt-4o'],
  ['gpt-4o%', 'gpt-4o%'],
  ['%mini%', '%mini%'],
  ['', ''],
])('typing "%s" searches for "%s"', (typed, pattern) => {
  expect(patternOf(typed, known)).toBe(pattern)
})

it.each([
  ['%gpt-4%', 'gpt-4'],
  ['gpt-4o', 'gpt-4o'],
  ['gpt-4o%', 'gpt-4o%'],
  ['%', '%'],
  ['', ''],
])('"%s" is shown as "%s"', (pattern, typed) => {
  expect(typedOf(pattern)).toBe(typed)
})
