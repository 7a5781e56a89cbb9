import { expect, it } from 'vitest'
import { replayMedia } from './replay.ts'

const events = (answer: object, operation: Parameters<typeof replayMedia>[1]) =>
  [...String(replayMedia(Buffer.from(JSON.stringify(answer)), operation)).matchAll(/^data: (.*)$/gm)].map(
    ([, data = '']) => JSON.parse(data),
  )

it('images become completed events, the last one with the usage', () => {
  const answer = {
    created: 1_760_000_000,
    size: '1024x1024',
    data: [{ b64_json: 'YQ==' }, { b64_json: 'Yg==' }],
    usage: { total_tokens: 3 },
  }
  const type = 'image_generation.completed'
  const head = { created_at: 1_760_000_000, size: '1024x1024' }
  expect(events(answer, 'images')).toEqual([
    { type, ...head, b64_json: 'YQ==' },
    { type, ...head, b64_json: 'Yg==', usage: { total_tokens: 3 } },
  ])
  expect(events(answer, 'image-edits')[0]).toMatchObject({ type: 'image_edit.completed' })
})

it('a transcript becomes its final event', () => {
  expect(events({ text: 'hi', usage: { seconds: 1 } }, 'transcriptions')).toEqual([
    { type: 'transcript.text.done', text: 'hi', usage: { seconds: 1 } },
  ])
})
