import { readAsk } from '@tollgate/dialects/ask'
import { expect, test } from 'vitest'
import { mediaBuckets } from './media.ts'

function bucketsOf(parts: Record<string, unknown>) {
  const body = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], ...parts }
  return mediaBuckets(readAsk('chat', Buffer.from(JSON.stringify(body))))
}

test('text alone adds no media bucket', () => {
  expect(bucketsOf({})).toEqual([])
  expect(bucketsOf({ modalities: ['text'], audio: null })).toEqual([])
})

test.each([
  ['a recording', { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }, 'inputAudio'],
  ['a picture', { type: 'image_url', image_url: { url: 'https://a.example/b.png' } }, 'inputImage'],
])('%s among the parts of a message adds its bucket', (_name, part, bucket) => {
  expect(bucketsOf({ messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }, part] }] })).toEqual([
    bucket,
  ])
})

test('a recording given as the content of a message without a list adds its bucket', () => {
  const content = { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }
  expect(bucketsOf({ messages: [{ role: 'user', content }] })).toEqual(['inputAudio'])
})

test('a recording and a picture in one Gemini part add both buckets', () => {
  const part = {
    inlineData: { mimeType: 'image/png', data: '' },
    fileData: { mimeType: 'audio/mp3', fileUri: 'https://a.example/b' },
  }
  const body = { contents: [{ parts: [{ functionResponse: { name: 'f', parts: [part] } }] }] }
  expect(mediaBuckets(readAsk('generate', Buffer.from(JSON.stringify(body)), { pathModel: 'm' }))).toEqual([
    'inputImage',
    'inputAudio',
  ])
})

test('an earlier audio response referred to by its id counts as audio input', () => {
  expect(bucketsOf({ messages: [{ role: 'assistant', audio: { id: 'audio_1' } }] })).toEqual(['inputAudio'])
})

test('requested output modalities add their buckets', () => {
  expect(bucketsOf({ modalities: ['text', 'audio'] })).toEqual(['outputAudio'])
  expect(bucketsOf({ audio: { voice: 'alloy', format: 'wav' } })).toEqual(['outputAudio'])
  expect(bucketsOf({ modalities: ['image', 'text'] })).toEqual(['outputImage'])
})
