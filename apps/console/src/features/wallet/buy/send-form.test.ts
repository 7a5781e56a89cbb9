import { expect, it } from 'vitest'
import { isSafari } from './send-form.ts'

it.each([
  ['Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15', true],
  ['Mozilla/5.0 (X11; Linux) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0 Safari/537.36', false],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/124.0 Safari/537.36 Edg/124.0', false],
  ['Mozilla/5.0 (X11; rv:125.0) Gecko/20100101 Firefox/125.0', false],
])('the user agent %s is Safari: %s', (userAgent, is) => {
  expect(isSafari(userAgent)).toBe(is)
})
