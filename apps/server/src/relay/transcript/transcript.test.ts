import { readAsk } from '@tollgate/dialects/ask'
import type { ConversationOperation } from '@tollgate/dialects/conversations'
import { describe, expect, it } from 'vitest'
import { AnswerText } from './answer-text.ts'
import { conversationTranscript } from './conversation-text.ts'
import { completionTranscript } from './legacy-completion.ts'
import { audioTranscript, imageTranscript, speechTranscript } from './media-text.ts'
import type { TranscriptReader } from './transcript-reader.ts'
import { transcriptText } from './transcript-text.ts'

const CHARACTERS_MAX = 1000

function kept(body: unknown, { answer = '', operation = 'chat', max = CHARACTERS_MAX } = {}) {
  const asked: ConversationOperation = operation === 'messages' ? 'messages' : 'chat'
  const ask = readAsk(asked, Buffer.from(JSON.stringify(body)))
  const reader = conversationTranscript(asked)
  return transcriptText({ reader, ask, answer: { text: answer, isCut: false }, charactersMax: max })
}

describe('kept text of a conversation', () => {
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Hello, I am jane@example.com' },
    { role: 'assistant', content: 'Hi.' },
    { role: 'user', content: [{ type: 'text', text: 'My key is sk-0123456789abcdef' }, picture()] },
  ]

  it('has the member names of new-api, including the system prompt, and no keys or addresses', () => {
    expect(kept({ model: 'm', messages }, { answer: 'Keep 4111 1111 1111 1111 safe.' })).toEqual({
      system_prompt: 'Be brief.',
      context: [
        { role: 'user', content: 'Hello, I am [e-mail]' },
        { role: 'assistant', content: 'Hi.' },
      ],
      input_content: { role: 'user', content: 'My key is [key]\n[image]' },
      output_content: 'Keep [card] safe.',
      text_kept: { redacted: 3, is_cut: false },
    })
  })

  it('is cut to the permitted length and marked as cut', () => {
    const long = [...messages.slice(0, 3), { role: 'user', content: 'x'.repeat(5000) }]
    const text = kept({ model: 'm', messages: long }, { answer: 'y'.repeat(5000), max: 200 })
    expect([text.input_content?.content.length, text.output_content.length]).toEqual([100, 100])
    expect([text.context, text.text_kept.is_cut]).toEqual([null, true])
  })

  it('redacts a key that crosses the end of the kept text', () => {
    const content = `${'x'.repeat(90)} sk-${'0'.repeat(60)}`
    const text = kept({ model: 'm', messages: [{ role: 'user', content }] }, { max: 200 })
    expect(text.input_content?.content).toBe(`${'x'.repeat(90)} [key]`)
  })

  it('is the same for another dialect', () => {
    const body = { model: 'm', max_tokens: 9, system: 'Be brief.', messages: messages.slice(1, 3) }
    expect(kept(body, { operation: 'messages' })).toMatchObject({
      system_prompt: 'Be brief.',
      input_content: { content: 'Hello, I am [e-mail]' },
    })
  })
})

describe('AnswerText', () => {
  it('collects the text across any chunk boundaries, without reasoning', () => {
    const received = new AnswerText({ reader: conversationTranscript('chat'), charactersMax: CHARACTERS_MAX })
    const deltas = [{ reasoning_content: 'hm' }, { content: 'Hel' }, { content: 'lo' }]
    const stream = Buffer.from(deltas.map(frame).join(''))
    for (let at = 0; at < stream.length; at += 7) received.push([stream.subarray(at, at + 7)])
    expect([received.text, received.isCut]).toEqual(['Hello', false])
  })

  it('stops at the permitted length', () => {
    const received = new AnswerText({ reader: conversationTranscript('chat'), charactersMax: 4 })
    received.push(Array.from({ length: 10 }, () => Buffer.from(frame({ content: 'abc' }))))
    expect([received.text, received.isCut]).toEqual(['abca', true])
  })

  it('parses a whole response when its text is read', () => {
    const received = new AnswerText({
      reader: conversationTranscript('messages'),
      charactersMax: CHARACTERS_MAX,
    })
    const content = [
      { type: 'text', text: 'Look:' },
      { type: 'tool_use', id: 't', name: 'find', input: { q: 'x' } },
    ]
    received.whole(Buffer.from(JSON.stringify({ type: 'message', role: 'assistant', content })))
    expect(received.text).toBe('Look:\n[tool call find] {"q":"x"}')
  })

  it.each(['', 'data: nonsense\n\n', 'data: [1,2]\n\n', '\0\0\0'])('never throws: %j', (bytes) => {
    const received = new AnswerText({
      reader: conversationTranscript('responses'),
      charactersMax: CHARACTERS_MAX,
    })
    received.push([Buffer.from(bytes)])
    received.whole(Buffer.from(bytes))
    expect(received.text).toBe('')
  })
})

const choices = (text: string) => ({
  choices: [
    { index: 1, text: 'other' },
    { index: 0, text },
  ],
})

describe('kept text of a legacy completion', () => {
  it('consists of a question and its answer', () => {
    const body = { model: 'm', prompt: ['I am jane@example.com', 'Once upon'] }
    const ask = readAsk('completions', Buffer.from(JSON.stringify(body)))
    const answer = { text: ' a time', isCut: false }
    expect(
      transcriptText({ reader: completionTranscript, ask, answer, charactersMax: CHARACTERS_MAX }),
    ).toMatchObject({
      context: [{ role: 'user', content: 'I am [e-mail]' }],
      input_content: { role: 'user', content: 'Once upon' },
      output_content: ' a time',
    })
  })

  it.each([
    [[1, 2, 3], null],
    [{ text: 'x' }, null],
    ['Once', { role: 'user', content: 'Once' }],
  ])('has only prompts that are text: %j', (prompt, input) => {
    const ask = readAsk('completions', Buffer.from(JSON.stringify({ model: 'm', prompt })))
    const answer = { text: '', isCut: false }
    const text = transcriptText({ reader: completionTranscript, ask, answer, charactersMax: CHARACTERS_MAX })
    expect(text.input_content).toEqual(input)
  })

  it('has the first choice, from a whole response and from frames', () => {
    const streamed = new AnswerText({ reader: completionTranscript, charactersMax: CHARACTERS_MAX })
    const stream = ['Hel', 'lo'].map((text) => `data: ${JSON.stringify(choices(text))}\n\n`).join('')
    for (let at = 0; at < stream.length; at += 7) streamed.push([Buffer.from(stream.slice(at, at + 7))])
    streamed.push([Buffer.from('data: [DONE]\n\n')])
    const whole = new AnswerText({ reader: completionTranscript, charactersMax: CHARACTERS_MAX })
    whole.whole(Buffer.from(JSON.stringify(choices('Hello'))))
    expect([streamed.text, whole.text]).toEqual(['Hello', 'Hello'])
    const garbage = new AnswerText({ reader: completionTranscript, charactersMax: CHARACTERS_MAX })
    garbage.whole(Buffer.from('{"choices":[null,{"text":7}]}'))
    expect(garbage.text).toBe('')
  })
})

const media = (reader: TranscriptReader, body: object, answer = '') =>
  transcriptText({
    reader,
    ask: { body: { ...body }, model: 'm', isStream: false },
    answer: { text: answer, isCut: false },
    charactersMax: CHARACTERS_MAX,
  })
const received = (reader: TranscriptReader) => new AnswerText({ reader, charactersMax: CHARACTERS_MAX })

describe('kept text of a media call', () => {
  it('has the prompt or the text to speak, without keys and addresses', () => {
    expect(media(imageTranscript, { prompt: 'A card for jane@example.com', n: 1 })).toEqual({
      context: null,
      input_content: { role: 'user', content: 'A card for [e-mail]' },
      output_content: '',
      text_kept: { redacted: 1, is_cut: false },
    })
    expect(media(speechTranscript, { input: 'Good night', instructions: 'Whisper.' })).toMatchObject({
      system_prompt: 'Whisper.',
      input_content: { content: 'Good night' },
    })
    expect(media(audioTranscript, {}, 'My key is sk-0123456789abcdef').output_content).toBe('My key is [key]')
    expect(media(imageTranscript, { prompt: 7 }).input_content).toBeNull()
    const long = media(imageTranscript, { prompt: 'x'.repeat(5000) })
    expect([long.input_content?.content.length, long.text_kept.is_cut]).toEqual([500, true])
  })

  it('has revised prompts, but no bytes of media', () => {
    const drawn = received(imageTranscript)
    const picture = 'A'.repeat(3000)
    drawn.whole(
      Buffer.from(
        JSON.stringify({ data: [{ b64_json: picture, revised_prompt: 'A red cat' }, { url: 'x' }] }),
      ),
    )
    expect(drawn.text).toBe('A red cat')
    const streamed = received(imageTranscript)
    streamed.push([Buffer.from(`data: {"type":"image_generation.completed","b64_json":"${picture}"}\n\n`)])
    const endpoint = received(speechTranscript)
    endpoint.push([Buffer.from(`data: {"type":"speech.audio.delta","audio":"${picture}"}\n\n`)])
    expect([streamed.text, endpoint.text]).toEqual(['', ''])
  })

  it.each(['{"text":"Hello"}', 'Hello', '{"text":"Hello","segments":[{"text":"Hello"}]}'])(
    'has a transcript in any format: %s',
    (answer) => {
      const whole = received(audioTranscript)
      whole.whole(Buffer.from(answer))
      expect(whole.text).toBe('Hello')
    },
  )

  it('has a streamed transcript once', () => {
    const done = 'data: {"type":"transcript.text.done","text":"Hello"}\n\n'
    const deltas = ['Hel', 'lo'].map(
      (delta) => `data: {"type":"transcript.text.delta","delta":"${delta}"}\n\n`,
    )
    for (const stream of [deltas.join('') + done, done]) {
      const translated = received(audioTranscript)
      for (let at = 0; at < stream.length; at += 7) translated.push([Buffer.from(stream.slice(at, at + 7))])
      expect(translated.text).toBe('Hello')
    }
  })
})

const fragment = (text: string) =>
  JSON.stringify({ candidates: [{ content: { parts: [{ text }] }, index: 0 }] })

it('a stream that is one JSON array is read like any other', () => {
  const picture = JSON.stringify({
    candidates: [
      { content: { parts: [{ inlineData: { mimeType: 'image/png', data: 'A'.repeat(100_000) } }] } },
    ],
  })
  const stream = `[${[fragment('Hel'), picture, fragment('lo "]"')].join(',\r\n')}]`
  const received = new AnswerText({
    reader: conversationTranscript('generate'),
    charactersMax: CHARACTERS_MAX,
    isList: true,
  })
  for (let at = 0; at < stream.length; at += 997) received.push([Buffer.from(stream.slice(at, at + 997))])
  expect(received.text).toBe('Hello "]"')
})

function frame(delta: unknown): string {
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta }] })}\n\n`
}

function picture() {
  return { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }
}
