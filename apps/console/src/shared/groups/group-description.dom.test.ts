import { afterAll, expect, it } from 'vitest'
import { setLanguage } from '../i18n/language.ts'
import { groupDescription } from './group-description.ts'

afterAll(() => setLanguage('en'))

it('translates the descriptions of a new site and leaves what the operator wrote', async () => {
  await setLanguage('en')
  expect(groupDescription('默认分组')).toBe('Default group')
  expect(groupDescription('vip分组')).toBe('VIP group')
  expect(groupDescription('内部')).toBe('内部')
  await setLanguage('zh')
  expect(groupDescription('默认分组')).toBe('默认分组')
})
