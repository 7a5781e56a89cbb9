import { expect, test } from 'vitest'
import { readImageUsage, readRerankUsage, readTranscriptUsage } from './usage.ts'

test('images are counted by number, and by tokens if these are reported', () => {
  const data = [{ url: 'a' }, { url: 'b' }]
  expect(readImageUsage({ data })).toMatchObject({ images: 2, outputImage: 0 })
  expect(readImageUsage({ data: [] })).toBeUndefined()
  const usage = {
    input_tokens: 5,
    output_tokens: 9,
    output_tokens_details: { image_tokens: 7, text_tokens: 2 },
  }
  expect(readImageUsage({ data, usage })).toMatchObject({ images: 2, outputImage: 7, outputText: 2 })
})

test('a transcript is counted by seconds, wherever they are reported', () => {
  const minute = { inputText: 1000, outputText: 0 }
  expect(readTranscriptUsage({ usage: { type: 'duration', seconds: 60 } })).toMatchObject(minute)
  expect(readTranscriptUsage({ duration: 59.2 })).toMatchObject(minute)
  expect(readTranscriptUsage({ duration: -1 })).toBeUndefined()
  expect(readTranscriptUsage({ text: 'hello' })).toBeUndefined()
})

test('a rerank is read from the usage or from `meta`', () => {
  expect(readRerankUsage({ usage: { total_tokens: 7 } })).toMatchObject({ inputText: 7 })
  expect(readRerankUsage({ meta: { tokens: { input_tokens: 7, output_tokens: 0 } } })).toMatchObject({
    inputText: 7,
  })
  expect(readRerankUsage({ meta: { billed_units: { search_units: 1 } } })).toBeUndefined()
})
