import { expect, test } from 'vitest'
import { readCallerFrame } from './caller-frame.ts'
import { TurnCounter } from './turns.ts'
import { readTurnUsage } from './usage.ts'

const usage = {
  total_tokens: 200,
  input_tokens: 120,
  output_tokens: 80,
  input_token_details: {
    text_tokens: 20,
    audio_tokens: 100,
    cached_tokens: 40,
    cached_tokens_details: { text_tokens: 0, audio_tokens: 40 },
  },
  output_token_details: { text_tokens: 10, audio_tokens: 70 },
}

function counter(isCredible = true) {
  const turns = new TurnCounter({ isCredible: () => isCredible })
  return {
    turns,
    caller: (event: object) => said(turns, JSON.stringify(event)),
    upstream: (type: string, more: object = {}) => turns.fromUpstream(JSON.stringify({ type, ...more })),
  }
}

const sound = (bytes: number) => Buffer.alloc(bytes).toString('base64')

test('cached audio is counted once', () => {
  expect(readTurnUsage({ usage })).toMatchObject({
    inputText: 20,
    inputAudio: 60,
    cacheRead: 40,
    outputText: 10,
    outputAudio: 70,
  })
  expect(readTurnUsage({ usage: { ...usage, input_token_details: {} } })).toMatchObject({ inputText: 120 })
  expect(readTurnUsage({})).toBeUndefined()
})

test('plausible usage of the upstream takes precedence over local counts', () => {
  const reported = counter()
  reported.caller({ type: 'input_audio_buffer.append', audio: sound(48_000) })
  expect(reported.upstream('response.done', { response: { usage } })).toMatchObject({
    isEstimated: false,
    usage: { inputAudio: 60 },
  })
  // Unlike new-api: the reported usage replaces the local counts and is not added to them.
  expect(reported.turns.rest()).toBeUndefined()
  const doubted = counter(false)
  doubted.caller({ type: 'input_audio_buffer.append', audio: sound(48_000) })
  expect(doubted.upstream('response.done', { response: { usage } })).toMatchObject({
    isEstimated: true,
    usage: { inputAudio: 27, outputAudio: 0 },
  })
})

test('both sides are counted in the audio format that the upstream reports', () => {
  const { caller, upstream } = counter()
  upstream('session.updated', {
    session: { input_audio_format: 'g711_ulaw', audio: { output: { format: { type: 'audio/pcm' } } } },
  })
  caller({ type: 'session.update', session: { instructions: 'Be brief' } })
  caller({ type: 'input_audio_buffer.append', audio: sound(16_000) })
  upstream('conversation.item.created', {
    item: { content: [{ type: 'input_text', text: 'Open the gate' }] },
  })
  upstream('response.created')
  upstream('response.audio.delta', { delta: sound(96_000) })
  upstream('response.function_call_arguments.delta', { delta: '{}' })
  const turn = upstream('response.done', { response: {} })
  // Two seconds each: 27.8 tokens per second of input, 13.9 per second of output.
  expect(turn?.usage).toMatchObject({ inputAudio: 55, outputAudio: 27 })
  expect(turn?.usage.inputText).toBeGreaterThan(3)
  expect(turn?.usage.outputText).toBeGreaterThan(0)
})

test('tools are counted again with every response except the first', () => {
  const { upstream } = counter()
  const tools = [{ type: 'function', name: 'open', parameters: {} }]
  upstream('session.created', { session: { tools } })
  expect(upstream('response.done', { response: {} })?.usage.inputText).toBe(0)
  expect(upstream('response.done', { response: {} })?.usage.inputText).toBeGreaterThan(8)
})

test('a response without an end is charged by what came so far; input without a response is free', () => {
  const { turns, caller, upstream } = counter()
  caller({ type: 'input_audio_buffer.append', audio: sound(48_000) })
  expect(turns.rest()).toBeUndefined()
  upstream('response.created')
  expect(turns.rest()).toMatchObject({ isEstimated: true, usage: { inputAudio: 27 } })
})

const transcript = (more: object = {}) => ({ item_id: 'i', transcript: 'Open the gate', ...more })
const TRANSCRIBED = 'conversation.item.input_audio_transcription.completed'

test('a transcript is charged by the tokens or the seconds reported for it', () => {
  const { upstream } = counter()
  const tokens = {
    input_tokens: 30,
    output_tokens: 4,
    input_token_details: { text_tokens: 2, audio_tokens: 28 },
  }
  expect(upstream(TRANSCRIBED, transcript({ usage: { type: 'tokens', ...tokens } }))).toMatchObject({
    isEstimated: false,
    usage: { inputText: 2, inputAudio: 28, outputText: 4 },
  })
  expect(upstream(TRANSCRIBED, transcript({ usage: { type: 'duration', seconds: 3 } }))).toMatchObject({
    isEstimated: false,
    usage: { inputAudio: 84 },
  })
})

test('a transcript without reported usage is charged by the audio since the last one and by its text', () => {
  const { caller, upstream } = counter()
  for (const usage of [undefined, { type: 'duration', seconds: -1 }]) {
    caller({ type: 'input_audio_buffer.append', audio: sound(48_000) })
    const turn = upstream(TRANSCRIBED, transcript({ usage }))
    expect(turn).toMatchObject({ isEstimated: true, usage: { inputAudio: 27, outputText: 3 } })
  }
})

test('a transcript that was streamed and did not end is charged by what came so far', () => {
  const { turns, caller, upstream } = counter()
  caller({ type: 'input_audio_buffer.append', audio: sound(48_000) })
  expect(turns.restOfTranscript()).toBeUndefined()
  upstream('conversation.item.input_audio_transcription.delta', { delta: 'Open the gate' })
  expect(turns.restOfTranscript()).toMatchObject({ usage: { inputAudio: 27, outputText: 3 } })
  upstream(TRANSCRIBED, transcript())
  expect(turns.restOfTranscript()).toBeUndefined()
})

test('frames that are not events are ignored', () => {
  const { turns } = counter()
  for (const frame of ['', 'hello', '[]', '{}', '{"type":5}']) {
    said(turns, frame)
    expect(turns.fromUpstream(frame)).toBeUndefined()
  }
})

function said(turns: TurnCounter, text: string): void {
  const frame = readCallerFrame(Buffer.from(text))
  if (frame !== undefined) turns.fromCaller(frame)
}
