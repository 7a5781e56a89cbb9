import { expect, test } from 'vitest'
import { requestLanguage } from './request-language.ts'

test.each([
  ['no header', {}, 'en'],
  ['Chinese', { 'accept-language': 'zh-CN,en;q=0.5' }, 'zh'],
  ['English from an old console', { 'accept-language': 'en-US', 'veloera-user': '1' }, 'en'],
  ['none from an old console', { 'veloera-user': '1' }, 'zh'],
  ['none from another fork', { 'new-api-user': '1', 'accept-language': '' }, 'zh'],
  ['any language from a script of the family', { 'new-api-user': '1', 'accept-language': '*' }, 'zh'],
  ['none from our own console', { 'tollgate-user': '1' }, 'en'],
  ['none beside our own header', { 'tollgate-user': '1', 'new-api-user': '1' }, 'en'],
] as const)('a request with %s is answered in its language', (_name, headers, language) => {
  expect(requestLanguage(headers)).toBe(language)
})
