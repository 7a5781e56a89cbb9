import { optionDefinition, optionKeys, settingTabs } from '@tollgate/contract/options'
import { expect, it } from 'vitest'
import { sectionExtras } from './extras/section-extras.ts'
import { tabKeys } from './tab.ts'

it('every setting that does something stands in a form', () => {
  const shown = settingTabs.flatMap(tabKeys)
  const missing = optionKeys.filter((key) => !shown.includes(key) && !optionDefinition(key).isWithoutEffect)
  expect(missing).toEqual([])
})

it('a place in the address is one section or one setting of a tab', () => {
  for (const tab of settingTabs) {
    const places = [...tab.sections.map(({ key }) => key), ...tabKeys(tab)]
    expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([])
  }
})

it('whatever stands beside settings stands in exactly one section', () => {
  const keys = settingTabs.flatMap((tab) => tab.sections.map((section): string => section.key))
  for (const key of Object.keys(sectionExtras)) expect(keys.filter((one) => one === key)).toHaveLength(1)
})
