import { describe, expect, it } from 'vitest'
import type { ReplyEvent } from '../canonical/event.ts'
import type { ToolCallPart } from '../canonical/part.ts'
import { problem } from '@tollgate/problems/problem'
import { recordAt, recordsAt, type JsonObject } from '../json.ts'
import { GeminiStreamWriter } from './write-stream.ts'

const context = { model: 'm', fallbackId: 'f', nowSeconds: 1, inputTokensCounted: 1, wantsUsage: true }
const START: ReplyEvent = { type: 'reply-start', id: 'r', model: 'm' }
const FAILURE = { problem: problem('stream_broken'), requestId: '1', language: 'en' as const }

/** The events of a function call whose arguments come in halves. */
function callEvents(part: number, name: string, more: Partial<ToolCallPart> = {}, choice = 0): ReplyEvent[] {
  const opening: ToolCallPart = {
    type: 'tool-call',
    id: name,
    name,
    arguments: '',
    kind: 'function',
    ...more,
  }
  return [
    { type: 'part-start', choice, part, opening },
    { type: 'arguments-delta', choice, part, text: '{"a":' },
    { type: 'arguments-delta', choice, part, text: '1}' },
    { type: 'part-end', choice, part },
  ]
}

function textEvents(part: number, text: string, choice = 0): ReplyEvent[] {
  return [
    { type: 'part-start', choice, part, opening: { type: 'text', text: '' } },
    { type: 'text-delta', choice, part, text },
    { type: 'part-end', choice, part },
  ]
}

function endEvents(...choices: readonly number[]): ReplyEvent[] {
  const end = { reason: 'tool-calls' as const, raw: '' }
  return [
    ...choices.map((choice): ReplyEvent => ({ type: 'choice-end', choice, end })),
    { type: 'reply-end' },
  ]
}

/** A call with arguments of 100 kB. */
function bigCall(part: number): ReplyEvent[] {
  const opening: ToolCallPart = {
    type: 'tool-call',
    id: `f${part}`,
    name: `f${part}`,
    arguments: '',
    kind: 'function',
  }
  return [
    { type: 'part-start', choice: 0, part, opening },
    { type: 'arguments-delta', choice: 0, part, text: JSON.stringify({ b: 'x'.repeat(100_000) }) },
    { type: 'part-end', choice: 0, part },
  ]
}

class Writing {
  readonly #writer = new GeminiStreamWriter(context, 'sse')

  push(...events: readonly ReplyEvent[]): JsonObject[] {
    return parse(events.flatMap((event) => [...this.#writer.push(event)]))
  }

  flush = () => parse(this.#writer.flush())
  fail = () => parse(this.#writer.fail(FAILURE))
}

function parse(frames: readonly Buffer[]): JsonObject[] {
  return frames.map((frame) => JSON.parse(frame.toString().slice('data: '.length)))
}

function partsOf(chunk: JsonObject | undefined, index = 0): readonly JsonObject[] {
  return recordsAt(recordAt(recordsAt(chunk ?? {}, 'candidates')[index] ?? {}, 'content') ?? {}, 'parts')
}

const names = (chunk: JsonObject | undefined, index = 0) =>
  partsOf(chunk, index).flatMap((part) => recordAt(part, 'functionCall')?.['name'] ?? [])

describe('function calls of a converted stream', () => {
  it('come with the finish reason, each once and in order, after the text', () => {
    const chunks = new Writing().push(
      START,
      ...textEvents(0, 'I look.'),
      ...callEvents(1, 'f'),
      ...callEvents(2, 'g'),
      ...endEvents(0),
    )
    expect(chunks.flatMap((chunk) => names(chunk))).toEqual(['f', 'g'])
    expect(partsOf(chunks[0])).toEqual([{ text: 'I look.' }])
    expect(partsOf(chunks.at(-1))).toEqual([
      { functionCall: { id: 'f', name: 'f', args: { a: 1 } } },
      { functionCall: { id: 'g', name: 'g', args: { a: 1 } } },
    ])
    expect(recordsAt(chunks.at(-1) ?? {}, 'candidates')).toMatchObject([{ finishReason: 'STOP' }])
  })

  it('of several candidates come with the end of each', () => {
    const chunks = new Writing().push(
      START,
      ...callEvents(0, 'f', {}, 0),
      ...callEvents(0, 'g', {}, 1),
      ...endEvents(0, 1),
    )
    expect([names(chunks.at(-1), 0), names(chunks.at(-1), 1)]).toEqual([['f'], ['g']])
  })

  it('keep their signatures', () => {
    const signature = { dialect: 'gemini' as const, value: 'c2ln' }
    const chunks = new Writing().push(START, ...callEvents(0, 'f', { signature }), ...endEvents(0))
    expect(partsOf(chunks.at(-1))).toMatchObject([{ thoughtSignature: 'c2ln' }])
  })

  it('go at once beyond 256 KiB', () => {
    const writing = new Writing()
    expect(writing.push(START, ...bigCall(0), ...bigCall(1))).toEqual([])
    expect(writing.push(...bigCall(2)).flatMap((chunk) => names(chunk))).toEqual(['f0', 'f1', 'f2'])
    const last = writing.push(...callEvents(3, 'g'), ...endEvents(0))
    expect(last.flatMap((chunk) => names(chunk))).toEqual(['g'])
  })

  it('go at once when the stream is silent, and not again at its end', () => {
    const writing = new Writing()
    writing.push(START, ...callEvents(0, 'f'))
    expect(writing.flush().flatMap((chunk) => names(chunk))).toEqual(['f'])
    expect(writing.flush()).toEqual([])
    const chunks = writing.push(...endEvents(0))
    expect(partsOf(chunks.at(-1))).toEqual([{ text: '' }])
    expect(writing.flush()).toEqual([])
  })

  it('go before an error', () => {
    const writing = new Writing()
    writing.push(START, ...textEvents(0, 'half'), ...callEvents(1, 'f'))
    const [calls, error, ...more] = writing.fail()
    expect([names(calls), recordAt(error ?? {}, 'error')?.['code'], more]).toEqual([['f'], 502, []])
  })
})

describe('the chunks of a converted stream', () => {
  it('all have parts, also that of the finish reason', () => {
    const streams: readonly (readonly ReplyEvent[])[] = [
      [],
      textEvents(0, 'a'),
      callEvents(0, 'f'),
      [...textEvents(0, ''), ...callEvents(1, 'f')],
      [
        { type: 'part-start', choice: 0, part: 0, opening: { type: 'text', text: '' } },
        { type: 'part-end', choice: 0, part: 0 },
      ],
    ]
    for (const events of streams)
      for (const chunk of new Writing().push(START, ...events, ...endEvents(0)))
        expect(partsOf(chunk).length).toBeGreaterThan(0)
  })

  it('leave out an empty text beside a call, unless it has a signature', () => {
    const signed: ReplyEvent[] = [
      {
        type: 'part-start',
        choice: 0,
        part: 0,
        opening: {
          type: 'text',
          text: '',
          extras: { dialect: 'gemini', value: { thoughtSignature: 'c2ln' } },
        },
      },
      { type: 'part-end', choice: 0, part: 0 },
    ]
    const plain = new Writing().push(START, ...textEvents(0, ''), ...callEvents(1, 'f'), ...endEvents(0))
    expect(plain.flatMap((chunk) => partsOf(chunk)).filter((part) => 'text' in part)).toEqual([])
    const kept = new Writing().push(START, ...signed, ...callEvents(1, 'f'), ...endEvents(0))
    expect(kept.flatMap((chunk) => partsOf(chunk))).toContainEqual({ text: '', thoughtSignature: 'c2ln' })
  })
})
