import { expect, it } from 'vitest'
import { keyName } from './key-name.ts'
import { type KeySums, totalOf } from './series/series.ts'

const keyOf = (key: string, label = key, isRest = false): KeySums => ({ ...totalOf([]), key, label, isRest })

it.each([
  ['channel', keyOf('3', 'Azure'), '#3 Azure'],
  ['channel', keyOf('3'), '#3'],
  ['channel', keyOf('0'), 'noChannel'],
  ['token', keyOf('0', 'playground-vip'), 'playground'],
  ['model', keyOf(''), 'unnamed'],
  ['model', keyOf('', '', true), 'rest'],
  ['model', keyOf('o1'), 'o1'],
] as const)('a %s has a descriptive name', (by, key, name) => {
  expect(keyName(key, by, String)).toBe(name)
})
