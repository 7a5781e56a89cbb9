import { expect, it } from 'vitest'
import { endpointNames } from '../endpoints.ts'
import { exampleEndpoints, examplesOf } from './examples.ts'

const address = 'https://gate.example'
const textOf = (endpoint: string, id: string, model = 'gpt-4o') =>
  examplesOf(endpoint, { model, address }).find((example) => example.id === id)?.text ?? ''

it('uses the request format of the endpoint', () => {
  expect(textOf('chat', 'curl')).toContain('curl https://gate.example/v1/chat/completions')
  expect(textOf('chat', 'python')).toContain('base_url="https://gate.example/v1"')
  expect(textOf('messages', 'curl')).toContain('x-api-key: sk-…')
  expect(textOf('messages', 'typescript')).toContain("baseURL: 'https://gate.example'")
  expect(textOf('embeddings', 'typescript')).toContain('client.embeddings.create({')
  expect(textOf('speech', 'typescript')).toContain("import { writeFile } from 'node:fs/promises'")
})

it('escapes quotes in the name of a model', () => {
  const model = `it's "odd"`
  expect(textOf('chat', 'curl', model)).toContain(String.raw`"model": "it'\''s \"odd\""`)
  expect(textOf('chat', 'typescript', model)).toContain(String.raw`model: 'it\'s "odd"'`)
  expect(textOf('chat', 'python', model)).toContain(String.raw`model="it's \"odd\""`)
})

it('uploads files, and uses plain HTTP for endpoints that no vendor client supports', () => {
  expect(textOf('transcriptions', 'curl', 'whisper-1')).toContain('-F file=@speech.mp3')
  expect(textOf('translations', 'python', 'whisper-1')).toContain('client.audio.translations.create(')
  expect(textOf('videos', 'curl', "it's")).toContain(String.raw`"model":"it'\''s"`)
  expect(textOf('videos', 'curl')).toContain('/v1/videos/$ID/content')
  expect(textOf('videos', 'python', 'sora-2')).toContain('create_and_poll(\n    model="sora-2",')
  expect(textOf('videos', 'typescript', 'sora-2')).toContain('downloadContent(video.id)')
  expect(textOf('rerank', 'typescript', 'm')).toContain("fetch('https://gate.example/v1/rerank'")
})

it('submits a drawing or a song, and polls it by its id', () => {
  expect(textOf('midjourney', 'curl', 'mj_imagine')).toContain('https://gate.example/mj/submit/imagine')
  expect(textOf('midjourney', 'python', 'mj_upscale')).toContain('/mj/submit/change')
  expect(textOf('midjourney', 'python', 'mj_pan')).toContain('/mj/task/" + answer["result"] + "/fetch"')
  expect(textOf('midjourney', 'curl', 'swap_face')).toContain('/mj/submit/swap')
  expect(textOf('suno', 'typescript', 'suno_music')).toContain('/suno/fetch/${answer.data}')
  expect(textOf('suno', 'curl', 'suno_lyrics')).toContain('/suno/submit/lyrics')
})

it('has an example for every endpoint that a model can have', () => {
  expect(exampleEndpoints(endpointNames)).toEqual(endpointNames)
  for (const endpoint of endpointNames) expect(examplesOf(endpoint, { model: 'm', address })).not.toEqual([])
})

it('keeps the order of the endpoints and leaves out unknown ones', () => {
  expect(exampleEndpoints(['responses', 'unheard-of', 'chat'])).toEqual(['responses', 'chat'])
})
