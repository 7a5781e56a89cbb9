import { expect, test } from 'vitest'
import { amountText } from './amount-text.ts'
import type { Options } from './services.ts'

function optionsWith(values: Readonly<Record<string, unknown>>): Options {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only these two are read
  return { get: (key: string) => values[key] } as Options
}

const currency = optionsWith({ DisplayInCurrencyEnabled: true, QuotaPerUnit: 500_000 })
const plain = optionsWith({ DisplayInCurrencyEnabled: false, QuotaPerUnit: 500_000 })

test.each([
  [500_000n, '＄1.000000 额度'],
  [1n, '＄0.000002 额度'],
  [0n, '＄0.000000 额度'],
  [-750_000n, '-＄1.500000 额度'],
  [123_456_789_012n, '＄246913.578024 额度'],
])('%s units are shown in the site currency', (units, text) => {
  expect(amountText(currency, units)).toBe(text)
})

test('an amount is shown in quota units when currency display is off', () => {
  expect(amountText(plain, 123n)).toBe('123 点额度')
})

test('an amount is truncated to a millionth and not rounded up', () => {
  const thirds = optionsWith({ DisplayInCurrencyEnabled: true, QuotaPerUnit: 3 })
  expect(amountText(thirds, 2n)).toBe('＄0.666666 额度')
})
