import { assert, array, boolean, property, uint8Array } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isStandardBase64, toStandardBase64 } from './base64.ts'

const bytes = uint8Array({ maxLength: 300 })
const standard = (value: Uint8Array) => Buffer.from(value).toString('base64')

describe('base64 of any encoder', () => {
  it('becomes padded standard base64 of the same bytes', () => {
    assert(
      property(bytes, boolean(), boolean(), boolean(), (value, isUrlSafe, isPadded, isInLines) => {
        let text = standard(value)
        if (isUrlSafe) text = text.replaceAll('+', '-').replaceAll('/', '_')
        if (!isPadded) text = text.replace(/=+$/, '')
        if (isInLines) text = text.replaceAll(/.{76}/g, '$&\r\n')
        expect(toStandardBase64(text)).toBe(standard(value))
      }),
    )
  })

  it('is joined if it comes in pieces that are padded each', () => {
    assert(
      property(array(bytes, { maxLength: 4 }), (pieces) => {
        const text = pieces.map(standard).join('')
        expect(Buffer.from(toStandardBase64(text), 'base64')).toEqual(Buffer.concat(pieces))
      }),
    )
  })

  it.each(['', 'QQ==', 'QUJD', '+/+/'])('stays the same text if it is standard: %j', (text) => {
    expect(isStandardBase64(text)).toBe(true)
    expect(toStandardBase64(text)).toBe(text)
  })

  it.each(['no base64!', 'Q', 'QUJDR', 'https://a.test/x.png', 'Ünicode'])(
    'is left to the vendor if it is none: %j',
    (text) => {
      expect(isStandardBase64(text)).toBe(false)
      expect(toStandardBase64(text)).toBe(text)
    },
  )
})
