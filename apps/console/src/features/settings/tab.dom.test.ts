import { optionDefinition, optionKeys, settingTabs } from '@tollgate/contract/options/index'
import { expect, it } from 'vitest'
import { sectionExtras } from './extras/section-extras.ts'
import { tabKeys } from './tab.ts'

/** Settings with a list of their own in a section. */
const LISTED = ['AlertReceivers']

it('every setting that has an effect is shown in a form or has a list of its own', () => {
  const shown = settingTabs.flatMap(tabKeys)
  const missing = optionKeys.filter((key) => !shown.includes(key) && !optionDefinition(key).isWithoutEffect)
  expect(missing).toEqual(LISTED)
})

it('section keys and setting keys of a tab are unique, so that an address names one place', () => {
  for (const tab of settingTabs) {
    const places = [...tab.sections.map(({ key }) => key), ...tabKeys(tab)]
    expect(places.filter((place, index) => places.indexOf(place) !== index)).toEqual([])
  }
})

it('every section extra belongs to exactly one section', () => {
  const keys = settingTabs.flatMap((tab) => tab.sections.map((section): string => section.key))
  for (const key of Object.keys(sectionExtras)) expect(keys.filter((one) => one === key)).toHaveLength(1)
})
