import { expect, it } from 'vitest'
import { prepareOptions } from './prepare-options.ts'

const read = (...rows: readonly (readonly [string, string])[]) =>
  prepareOptions(rows.map(([key, value]) => ({ key, value })))

it('prices of tools have the name of new-api, unless the source has ours', () => {
  const { texts, notes } = read(['tool_price_setting.prices', '{"web_search":12}'])
  expect(texts.get('ToolPrices')).toBe('{"web_search":12}')
  expect(notes).toMatchObject([{ code: 'option-alias', detail: 'ToolPrices here' }])
  const both = read(['ToolPrices', '{}'], ['tool_price_setting.prices', '{"web_search":12}'])
  expect(both.texts.get('ToolPrices')).toBe('{}')
})

it('an imported site counts fees that its source did not know, unless the source charges them', () => {
  expect(read(['SystemName', 'x']).texts.get('ListedFeesCharged')).toBe('false')
  expect(read(['ListedFeesCharged', 'true']).texts.get('ListedFeesCharged')).toBe('true')
})
