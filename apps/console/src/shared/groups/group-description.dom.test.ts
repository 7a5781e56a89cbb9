import { afterAll, expect, it } from 'vitest'
import { setLanguage } from '../i18n/language.ts'
import { groupDescription } from './group-description.ts'

afterAll(() => setLanguage('en'))

it('translates the default descriptions and leaves those of the operator unchanged', async () => {
  await setLanguage('en')
  expect(groupDescription('默认分组')).toBe('Default group')
  expect(groupDescription('vip分组')).toBe('VIP group')
  expect(groupDescription('内部')).toBe('内部')
  await setLanguage('zh')
  expect(groupDescription('默认分组')).toBe('默认分组')
})
