import { expect, it } from 'vitest'
import { mediaTypeOf } from './media-type.ts'

it.each([
  ['\x89PNG\r\n\x1a\n----', 'image/png'],
  ['\xff\xd8\xff\xe0----', 'image/jpeg'],
  ['GIF89a------', 'image/gif'],
  ['RIFF\x01\x02\x03\x04WEBPVP8 ', 'image/webp'],
  ['RIFF\x01\x02\x03\x04WAVEfmt ', 'audio/wav'],
  ['\x00\x00\x00\x18ftypheic', 'image/heic'],
  ['\x00\x00\x00\x18ftypmp42', 'video/mp4'],
  ['\x00\x00\x00\x18ftypM4A ', 'audio/mp4'],
  ['%PDF-1.7\n', 'application/pdf'],
  ['\xff\xfb\x90\x64', 'audio/mpeg'],
  ['ID3\x04\x00', 'audio/mpeg'],
])('recognises the media type of %j', (head, type) => {
  expect(mediaTypeOf(Buffer.from(head, 'latin1'))).toBe(type)
})

it.each(['', '<!doctype html>', '{"error":1}', 'RIFF', '\x00\x00\x00\x18', '\xff'])(
  'does not recognise a media type in %j',
  (head) => {
    expect(mediaTypeOf(Buffer.from(head, 'latin1'))).toBeUndefined()
  },
)
