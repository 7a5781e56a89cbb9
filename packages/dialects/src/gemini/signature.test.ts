import { assert, boolean, constantFrom, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isStandardBase64 } from '../canonical/base64.ts'
import { geminiCaller } from './codec.ts'
import { isForeignSignature, readThoughtSignature, writeThoughtSignature } from './signature.ts'

const foreign = constantFrom('openai' as const, 'responses' as const, 'anthropic' as const)
const values = string({ minLength: 1, maxLength: 200, unit: 'binary' })
const urlSafe = (text: string) => text.replaceAll('+', '-').replaceAll('/', '_')
const unpadded = (text: string) => text.replace(/=+$/, '')

describe('a thought signature of another vendor', () => {
  it('is base64, and comes back whole from either alphabet, padded or not', () => {
    assert(
      property(foreign, values, boolean(), (dialect, text, isRedacted) => {
        const signature = { value: { dialect, value: text }, isRedacted }
        const written = writeThoughtSignature(signature)
        expect(isStandardBase64(written)).toBe(true)
        expect(isForeignSignature(written)).toBe(true)
        for (const form of [written, urlSafe(written), unpadded(written), unpadded(urlSafe(written))])
          expect(readThoughtSignature(form)).toEqual(signature)
      }),
    )
  })

  it('of a node of the version before is read too: the packed text itself', () => {
    assert(
      property(foreign, values, boolean(), (dialect, text, isRedacted) => {
        const before = `${isRedacted ? 'sealed:' : ''}${dialect}:${text}`
        expect(readThoughtSignature(before)).toEqual({ value: { dialect, value: text }, isRedacted })
        expect(isForeignSignature(before)).toBe(true)
      }),
    )
  })

  it('is taken by a node of the version before for one of Google, so no other vendor ever gets it', () => {
    // What that version did with a text: https://protobuf.dev/programming-guides/json/ forbids its colon.
    const before = /^(openai|responses|anthropic|gemini):([^]*)$/
    assert(
      property(foreign, values, boolean(), (dialect, text, isRedacted) => {
        const written = writeThoughtSignature({ value: { dialect, value: text }, isRedacted })
        expect(before.test(written) || written.startsWith('sealed:')).toBe(false)
      }),
    )
  })
})

describe("Google's own thought signature", () => {
  it.each(['EqQBCkYIBxgC', 'Eq-_', 'skip_thought_signature_validator', 'x'.repeat(50_000)])(
    'is written and read as it came: %.40s',
    (text) => {
      const signature = { value: { dialect: 'gemini' as const, value: text }, isRedacted: false }
      expect(readThoughtSignature(text)).toEqual(signature)
      expect(writeThoughtSignature(signature)).toBe(text)
      expect(isForeignSignature(text)).toBe(false)
    },
  )
})

function readTurn(parts: readonly object[]) {
  const body = { contents: [{ role: 'model', parts }] }
  return geminiCaller('sse').readConversation(body, { model: 'm' }).messages[0]
}

describe('a conversation with packed signatures', () => {
  it.each(['thoughtSignature', 'thought_signature'])('reads them in the member %s', (name) => {
    const written = writeThoughtSignature({
      value: { dialect: 'anthropic', value: 'sig' },
      isRedacted: false,
    })
    const parts = [
      { text: 'hm', thought: true, [name]: written },
      { functionCall: { name: 'f' }, [name]: written },
    ]
    const signature = { dialect: 'anthropic', value: 'sig' }
    expect(readTurn(parts)?.parts).toMatchObject([
      { type: 'reasoning', signature },
      { type: 'tool-call', signature },
    ])
  })

  it('keeps redacted reasoning whose empty text a client left out', () => {
    const written = writeThoughtSignature({
      value: { dialect: 'anthropic', value: 'data' },
      isRedacted: true,
    })
    expect(readTurn([{ thought: true, thoughtSignature: written }])?.parts).toEqual([
      { type: 'redacted-reasoning', data: { dialect: 'anthropic', value: 'data' } },
    ])
  })
})
