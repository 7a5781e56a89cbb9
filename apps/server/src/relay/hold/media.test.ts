import { readAsk } from '@tollgate/dialects/ask'
import { expect, test } from 'vitest'
import { mediaBuckets } from './media.ts'

function bucketsOf(parts: Record<string, unknown>) {
  const body = { model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], ...parts }
  return mediaBuckets(readAsk('chat', Buffer.from(JSON.stringify(body))))
}

test('text alone fills no other bucket', () => {
  expect(bucketsOf({})).toEqual([])
  expect(bucketsOf({ modalities: ['text'], audio: null })).toEqual([])
})

test.each([
  ['a recording', { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }, 'inputAudio'],
  ['a picture', { type: 'image_url', image_url: { url: 'https://a.example/b.png' } }, 'inputImage'],
])('%s among the parts of a message', (_name, part, bucket) => {
  expect(bucketsOf({ messages: [{ role: 'user', content: [{ type: 'text', text: 'x' }, part] }] })).toEqual([
    bucket,
  ])
})

test('a recording that is all of a message, without a list around it', () => {
  const content = { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }
  expect(bucketsOf({ messages: [{ role: 'user', content }] })).toEqual(['inputAudio'])
})

test('a recording beside a picture in one part of Gemini', () => {
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

test('an earlier spoken answer is heard again', () => {
  expect(bucketsOf({ messages: [{ role: 'assistant', audio: { id: 'audio_1' } }] })).toEqual(['inputAudio'])
})

test('answers of another kind, as they are asked for', () => {
  expect(bucketsOf({ modalities: ['text', 'audio'] })).toEqual(['outputAudio'])
  expect(bucketsOf({ audio: { voice: 'alloy', format: 'wav' } })).toEqual(['outputAudio'])
  expect(bucketsOf({ modalities: ['image', 'text'] })).toEqual(['outputImage'])
})
