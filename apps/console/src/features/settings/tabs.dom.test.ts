import { optionKeys } from '@tollgate/contract/options'
import { expect, it } from 'vitest'
import { keysOf } from './tab.ts'
import { settingTabs } from './tabs.ts'

/** Kept for databases that have them; nothing reads them. */
const WITHOUT_EFFECT = new Set([
  'FileUploadPermission',
  'FileDownloadPermission',
  'ImageUploadPermission',
  'ImageDownloadPermission',
])

it('every setting that does something stands in a form, and in one only', () => {
  const shown = settingTabs.flatMap(keysOf)
  expect(shown.toSorted()).toEqual([...optionKeys].filter((key) => !WITHOUT_EFFECT.has(key)).toSorted())
})
