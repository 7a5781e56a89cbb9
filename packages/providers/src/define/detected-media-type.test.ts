import { expect, it } from 'vitest'
import { withDetectedMediaType } from './detected-media-type.ts'

const PNG = '\x89PNG\r\n\x1a\n and more'
const sent = (mediaType: string, head: string) => {
  const base64 = Buffer.from(head, 'latin1').toString('base64')
  return { type: 'image' as const, source: { type: 'data' as const, mediaType, base64 } }
}

it.each([
  ['image/png', PNG, 'image/png'],
  ['image/jpeg', PNG, 'image/png'],
  ['image/jpg', '\xff\xd8\xff\xe0', 'image/jpeg'],
  ['text/plain', 'GIF89a', 'image/gif'],
  ['image/svg+xml', '<svg/>', 'image/svg+xml'],
  ['image/bmp', 'BM', 'image/bmp'],
])('an image declared as %s with bytes %j is sent on as %s', (reported, head, type) => {
  const part = sent(reported, head)
  expect(withDetectedMediaType(part)).toEqual({ ...part, source: { ...part.source, mediaType: type } })
})

it.each([
  ['image/png', ''],
  ['image/webp', '<!doctype html>'],
  ['image/bmp', '%PDF-1.7'],
  ['application/octet-stream', 'hello'],
])('an image declared as %s with bytes %j is refused', (reported, head) => {
  expect(() => withDetectedMediaType(sent(reported, head))).toThrow('media_no_image')
})

it('images given by address are left unchanged', () => {
  const part = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } } as const
  expect(withDetectedMediaType(part)).toBe(part)
})
