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
  expect(reported.turns.begun()).toEqual([])
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
  expect(turns.begun()).toEqual([])
  upstream('response.created')
  expect(turns.begun()).toMatchObject([{ isEstimated: true, usage: { inputAudio: 27 } }])
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
  expect(turns.begun()).toEqual([])
  upstream('conversation.item.input_audio_transcription.delta', { delta: 'Open the gate' })
  expect(turns.begun()).toMatchObject([{ usage: { inputAudio: 27, outputText: 3 } }])
  upstream(TRANSCRIBED, transcript())
  expect(turns.begun()).toEqual([])
})

const texts = (words: number) => 'word '.repeat(words).trim()

test('answers in parallel are counted each by itself', () => {
  const { turns, upstream } = counter()
  for (const id of ['a', 'b', 'c']) upstream('response.created', { response: { id } })
  for (const [id, words] of [
    ['b', 3],
    ['a', 5],
    ['c', 7],
    ['a', 2],
  ] as const)
    upstream('response.output_text.delta', { response_id: id, delta: texts(words) })
  const outputs = () => turns.begun().map(({ usage: { outputText } }) => outputText)
  expect(outputs()).toEqual([7, 3, 7])
  expect(upstream('response.done', { response: { id: 'b', usage } })).toMatchObject({ isEstimated: false })
  expect(outputs()).toEqual([7, 7])
  upstream('response.done', { response: { id: 'a' } })
  expect(turns.isBusy).toBe(true)
  expect(upstream('response.done', { response: { id: 'c' } })?.usage.outputText).toBe(7)
  expect(turns.isBusy).toBe(false)
})

test('an answer is under way from its request on, until it ends or an error names its event', () => {
  const { turns, caller, upstream } = counter()
  caller({ type: 'response.create', event_id: 'one', response: { instructions: texts(9) } })
  caller({ type: 'response.create', event_id: 'two' })
  expect(turns.openTurns).toBe(2)
  expect(turns.requested()).toMatchObject([{ usage: { inputText: 9 } }])
  upstream('error', { error: { event_id: 'one', code: 'invalid' } })
  expect(turns.openTurns).toBe(1)
  upstream('response.created', { response: { id: 'a' } })
  expect(turns.openTurns).toBe(1)
  upstream('response.done', { response: { id: 'a' } })
  expect(turns.isBusy).toBe(false)
})

test('a request that an error without a name may have refused is waited for and not charged', () => {
  const { turns, caller, upstream } = counter()
  caller({ type: 'response.create', response: { instructions: texts(9) } })
  upstream('error', { error: { code: 'conversation_already_has_active_response' } })
  expect([turns.isBusy, turns.requested()]).toEqual([true, []])
  turns.forgetRequests(1)
  expect(turns.isBusy).toBe(false)
})

test('answers outside the conversation read their own input, the others the conversation', () => {
  const { turns, caller, upstream } = counter()
  upstream('conversation.item.created', { item: { content: [{ type: 'input_text', text: texts(20) }] } })
  const input = [{ type: 'message', content: [{ type: 'input_text', text: texts(4) }] }]
  caller({ type: 'response.create', response: { conversation: 'none', metadata: { tag: 'own' }, input } })
  caller({ type: 'response.create', response: { metadata: { tag: 'all' } } })
  upstream('response.created', { response: { id: 'all', metadata: { tag: 'all' } } })
  upstream('response.created', { response: { id: 'own', metadata: { tag: 'own' } } })
  expect(turns.begun().map(({ usage: { inputText } }) => inputText)).toEqual([21, 4])
  upstream('response.done', { response: { id: 'own', usage } })
  expect(upstream('response.done', { response: { id: 'all' } })?.usage.inputText).toBe(21)
  expect(upstream('response.done', { response: {} })?.usage.inputText).toBe(0)
})

test('an answer that was not announced is under way from its first part on', () => {
  const { turns, upstream } = counter()
  upstream('response.output_text.delta', { response_id: 'a', delta: texts(3) })
  upstream('response.output_text.delta', { response_id: 'b', delta: texts(4) })
  expect(turns.openTurns).toBe(2)
  upstream('response.done', { response: { id: 'a' } })
  upstream('response.output_item.done', { response_id: 'a' })
  expect(turns.begun()).toMatchObject([{ usage: { outputText: 4 } }])
})

test('an upstream may use the id of an answer again, or none', () => {
  for (const response of [{ id: 'same' }, {}]) {
    const { turns, upstream } = counter()
    for (let round = 0; round < 2; round++) {
      upstream('response.created', { response })
      upstream('response.output_text.delta', { delta: texts(3) })
      expect(turns.begun()).toMatchObject([{ usage: { outputText: 3 } }])
      expect(upstream('response.done', { response })?.usage.outputText).toBe(3)
      expect(turns.isBusy).toBe(false)
    }
  }
})

test('transcripts beside each other and beside an answer are under way until each has ended', () => {
  const { turns, caller, upstream } = counter()
  upstream('session.updated', { session: { audio: { input: { transcription: { model: 'whisper-1' } } } } })
  for (const item_id of ['i', 'j']) {
    caller({ type: 'input_audio_buffer.append', audio: sound(48_000) })
    caller({ type: 'input_audio_buffer.commit' })
    expect(turns.isBusy).toBe(true)
    upstream('input_audio_buffer.committed', { item_id })
  }
  upstream('response.created', { response: { id: 'a' } })
  expect(turns.openTurns).toBe(3)
  expect(upstream(TRANSCRIBED, transcript({ item_id: 'j' }))).toMatchObject({ usage: { inputAudio: 27 } })
  upstream('response.done', { response: { id: 'a', usage } })
  expect(turns.begun()).toMatchObject([{ usage: { inputAudio: 27, outputText: 0 } }])
  expect(upstream('conversation.item.input_audio_transcription.failed', { item_id: 'i' })).toBeUndefined()
  expect(turns.isBusy).toBe(false)
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
  if (frame !== undefined) turns.fromCaller(frame, 0)
}
