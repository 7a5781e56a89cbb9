import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  partsOf,
  someConversation,
  someReply,
  callPart,
  reasoningPart,
  textPart,
} from '../../test/support/arbitrary.ts'
import { anthropicCaller, anthropicUpstream } from '../anthropic/codec.ts'
import { parseObject } from '../json.ts'
import { openaiCaller, openaiUpstream } from '../openai/chat/codec.ts'
import { inputTokens, outputTokens } from '../usage.ts'
import { violations } from './check-events.ts'
import type { CallerDialect, ReplyReader, UpstreamDialect, WriteContext } from './codec.ts'
import { ReplyCollector } from './collect.ts'
import type { Conversation, Message } from './conversation.ts'
import type { Part } from './part.ts'
import type { ReplyEvent } from './event.ts'
import { FrameReader } from './frames.ts'
import type { Reply } from './reply.ts'
import { replyToEvents } from './split.ts'

/**
 * Properties that both halves of every dialect must have: one half reads what the other writes, a stream
 * carries the same reply as a whole response, and it makes no difference where the bytes of a stream are cut.
 */

interface Dialect {
  readonly caller: CallerDialect
  readonly upstream: UpstreamDialect
  /** How many choices one response can have. */
  readonly choicesMax: number
}

const dialects: readonly Dialect[] = [
  { caller: openaiCaller, upstream: openaiUpstream, choicesMax: 3 },
  { caller: anthropicCaller, upstream: anthropicUpstream, choicesMax: 1 },
]

const context: WriteContext = {
  model: 'model-1',
  fallbackId: '1',
  nowSeconds: 1,
  inputTokensCounted: 7,
  wantsUsage: true,
}

const SEED = { seed: 4, numRuns: 200 }

describe.each(dialects)('$caller.name', ({ caller, upstream, choicesMax }) => {
  const reply = someReply.map((each) => ({ ...each, choices: each.choices.slice(0, choicesMax) }))

  it('reads the conversation that it wrote', () => {
    fc.assert(
      fc.property(someConversation, (conversation) => {
        const body = asJson(upstream.writeRequest(conversation, { outputTokensDefault: 8192 }))
        const read = caller.readConversation(body, {})
        expect(comparedAsk(read)).toEqual(comparedAsk(conversation))
      }),
      SEED,
    )
  })

  it('reads the whole reply that it wrote', () => {
    fc.assert(
      fc.property(reply, (each) => {
        const ordered = inOrder(each)
        const read = upstream.readReply(asJson(caller.writeReply(ordered, context)), upstream.readUsage)
        expect(read.type === 'reply' && compared(read.reply)).toEqual(compared(ordered))
      }),
      SEED,
    )
  })

  it('reads the stream that it wrote, wherever the bytes are cut', () => {
    fc.assert(
      fc.property(reply, fc.array(fc.nat(), { maxLength: 8 }), (each, cuts) => {
        const writer = caller.openWriter(context)
        const bytes = Buffer.concat(replyToEvents(each).flatMap((event) => writer.push(event)))
        const events = readCut(bytes, cuts, upstream.openReader(upstream.readUsage))
        expect(violations(events)).toEqual([])
        expect(compared(collected(events))).toEqual(compared(each))
        expect(readCut(bytes, [], upstream.openReader(upstream.readUsage))).toEqual(events)
      }),
      SEED,
    )
  })

  it('emits events in the guaranteed order, whatever frames come', () => {
    const pieces = partsOf(textPart, reasoningPart, callPart).chain((parts) =>
      fc.shuffledSubarray(framesOf(caller, parts), { minLength: 1 }),
    )
    fc.assert(
      fc.property(pieces, (frames) => {
        const reader = upstream.openReader(upstream.readUsage)
        const events = [...frames.flatMap((data) => reader.push({ event: undefined, data })), ...reader.end()]
        const wrong = violations(events).filter((text) => !text.startsWith('no end'))
        expect(wrong).toEqual([])
      }),
      SEED,
    )
  })

  it('keeps usage in buckets that do not overlap', () => {
    fc.assert(
      fc.property(reply, (each) => {
        const read = upstream.readReply(asJson(caller.writeReply(inOrder(each), context)), upstream.readUsage)
        const usage = read.type === 'reply' ? read.reply.usage : undefined
        const reported = each.usage
        if (reported === undefined || inputTokens(reported) + outputTokens(reported) === 0) return
        expect(usage && inputTokens(usage)).toBe(inputTokens(reported))
        expect(usage && outputTokens(usage)).toBe(outputTokens(reported))
        expect(usage?.cacheRead).toBe(reported.cacheRead)
      }),
      SEED,
    )
  })

  it('emits nothing after an error, and detects that a stream was cut off', () => {
    const reader = upstream.openReader(upstream.readUsage)
    const error = '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'
    expect(reader.push({ event: 'error', data: error })).toMatchObject([
      { type: 'error', error: { message: 'Overloaded' } },
    ])
    expect(reader.push({ event: 'error', data: error })).toEqual([])
    expect(upstream.openReader(upstream.readUsage).end()).toEqual([])
  })
})

function framesOf(caller: CallerDialect, parts: Reply['choices'][number]['parts']): string[] {
  const writer = caller.openWriter(context)
  const whole = { id: 'r', model: 'm', choices: [{ parts, end: { reason: 'stop' as const, raw: 'stop' } }] }
  const bytes = Buffer.concat(replyToEvents(whole).flatMap((event) => writer.push(event)))
  return new FrameReader().push(bytes).map(({ data }) => data)
}

function readCut(bytes: Buffer, cuts: readonly number[], reader: ReplyReader): ReplyEvent[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b)
  const frames = new FrameReader()
  const events = places.flatMap((end, at) =>
    frames.push(bytes.subarray(places[at - 1] ?? 0, end)).flatMap((frame) => reader.push(frame)),
  )
  return [...events, ...frames.end().flatMap((frame) => reader.push(frame)), ...reader.end()]
}

function collected(events: readonly ReplyEvent[]): Reply {
  const collector = new ReplyCollector()
  for (const event of events) collector.push(event)
  return collector.reply()
}

function asJson(body: object): Record<string, unknown> {
  return parseObject(JSON.stringify(body)) ?? {}
}

/**
 * Sorts parts into reasoning, text, tool calls: some dialects can write a whole response only in this order.
 */
function inOrder(reply: Reply): Reply {
  const rank = { reasoning: 0, text: 1, 'tool-call': 2 } as const
  const choices = reply.choices.map((choice) => {
    const isFirst = new Set<string>()
    const parts = choice.parts.filter(
      (part) => part.type === 'tool-call' || !(isFirst.has(part.type) || !isFirst.add(part.type)),
    )
    return { ...choice, parts: parts.toSorted((a, b) => rankOf(a.type) - rankOf(b.type)) }
  })
  return { ...reply, choices }

  function rankOf(type: string): number {
    return type === 'reasoning' || type === 'text' || type === 'tool-call' ? rank[type] : 3
  }
}

/** Leaves out the values for which a dialect may have its own wording. */
function compared({ id, choices, usage }: Reply) {
  const ends = choices.map(({ parts, end }) => {
    const isCall = end.reason === 'stop' && parts.some((part) => part.type === 'tool-call')
    return { parts, reason: isCall ? 'tool-calls' : end.reason }
  })
  return { id, ends, input: usage && inputTokens(usage), output: usage && outputTokens(usage) }
}

function comparedAsk({ messages, metadata, extras: _extras, wantsUsage: _wants, ...reported }: Conversation) {
  return {
    ...reported,
    userId: metadata.userId,
    messages: merged(messages).map((message) => ({ ...message, parts: textsMerged(message.parts) })),
  }
}

/** Merges consecutive turns of one role. */
function merged(messages: readonly Message[]): readonly Message[] {
  return messages.reduce<readonly Message[]>((turns, message) => {
    const last = turns.at(-1)
    if (last?.role !== message.role) return [...turns, message]
    return [...turns.slice(0, -1), { ...last, parts: [...last.parts, ...message.parts] }]
  }, [])
}

/** Chat completions get consecutive texts as one text, joined by a blank line. */
function textsMerged(parts: readonly Part[]): readonly Part[] {
  return parts.reduce<readonly Part[]>((sum, part) => {
    const last = sum.at(-1)
    if (part.type !== 'text') return [...sum, part]
    const before = last?.type === 'text' ? last.text : ''
    const text = { ...part, text: (before + part.text).replaceAll('\n\n', '') }
    return [...(last?.type === 'text' ? sum.slice(0, -1) : sum), text]
  }, [])
}
