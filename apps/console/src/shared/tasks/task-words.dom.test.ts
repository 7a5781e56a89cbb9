import { afterAll, expect, it } from 'vitest'
import { setLanguage } from '../i18n/language.ts'
import { actionText, reasonText } from './task-words.ts'

afterAll(() => setLanguage('en'))

it("translates actions and the gateway's own failure reasons", async () => {
  await setLanguage('en')
  expect(actionText('IMAGINE')).toBe('Imagine')
  expect(reasonText('the upstream knows it no longer')).toBe('The upstream no longer knows this task')
  await setLanguage('zh')
  expect(actionText('IMAGINE')).toBe('绘图')
  expect(reasonText('the upstream knows it no longer')).toBe('上游已没有该任务的记录')
})

it('leaves unknown actions and reasons unchanged', () => {
  expect(actionText('PAINT_TWICE')).toBe('PAINT_TWICE')
  expect(reasonText('Banned prompt detected')).toBe('Banned prompt detected')
})
