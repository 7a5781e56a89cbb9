import { expect, it } from 'vitest'
import { keepOwnSwitches } from './own-switches.ts'

const stored = '{"other_models":"never","proxy":"socks5://a.test"}'

it.each([
  ['{"force_format":true}', '{"force_format":true,"other_models":"never"}'],
  ['', '{"other_models":"never"}'],
  ['{"other_models":null}', '{"other_models":null}'],
  ['no JSON', 'no JSON'],
])('a setting written without the switch keeps it: %s', (sent, kept) => {
  expect(keepOwnSwitches(sent, stored)).toBe(kept)
})

it('a channel without the switch gets none', () => {
  expect(keepOwnSwitches('{"proxy":""}', '')).toBe('{"proxy":""}')
})
