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
import { splitReply } from './split.ts'

/**
 * What both halves of every dialect must show: what one half writes, the other reads; a stream says what a whole answer
 * says; and where its bytes are cut makes no difference.
 */

interface Dialect {
  readonly caller: CallerDialect
  readonly upstream: UpstreamDialect
  /** Answers in one call. */
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

  it('reads the conversation it wrote', () => {
    fc.assert(
      fc.property(someConversation, (conversation) => {
        const body = asJson(upstream.writeRequest(conversation, { outputTokensDefault: 8192 }))
        const read = caller.readConversation(body, {})
        expect(comparedAsk(read)).toEqual(comparedAsk(conversation))
      }),
      SEED,
    )
  })

  it('reads the whole reply it wrote', () => {
    fc.assert(
      fc.property(reply, (each) => {
        const ordered = inOrder(each)
        const read = upstream.readReply(asJson(caller.writeReply(ordered, context)), upstream.readUsage)
        expect(read.type === 'reply' && compared(read.reply)).toEqual(compared(ordered))
      }),
      SEED,
    )
  })

  it('reads the stream it wrote, wherever it is cut', () => {
    fc.assert(
      fc.property(reply, fc.array(fc.nat(), { maxLength: 8 }), (each, cuts) => {
        const writer = caller.openWriter(context)
        const bytes = Buffer.concat(splitReply(each).flatMap((event) => writer.push(event)))
        const events = readCut(bytes, cuts, upstream.openReader(upstream.readUsage))
        expect(violations(events)).toEqual([])
        expect(compared(collected(events))).toEqual(compared(each))
        expect(readCut(bytes, [], upstream.openReader(upstream.readUsage))).toEqual(events)
      }),
      SEED,
    )
  })

  it('never breaks the promises of a stream, whatever frames come', () => {
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
        const told = each.usage
        if (told === undefined || inputTokens(told) + outputTokens(told) === 0) return
        expect(usage && inputTokens(usage)).toBe(inputTokens(told))
        expect(usage && outputTokens(usage)).toBe(outputTokens(told))
        expect(usage?.cacheRead).toBe(told.cacheRead)
      }),
      SEED,
    )
  })

  it('says nothing after an error, and notices that a stream was cut off', () => {
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
  const bytes = Buffer.concat(splitReply(whole).flatMap((event) => writer.push(event)))
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

/** Thought first, then text, then calls: the only order a whole answer of some dialects has. */
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

/** Without what a dialect may say in words of its own. */
function compared({ id, choices, usage }: Reply) {
  const ends = choices.map(({ parts, end }) => {
    const isCall = end.reason === 'stop' && parts.some((part) => part.type === 'tool-call')
    return { parts, reason: isCall ? 'tool-calls' : end.reason }
  })
  return { id, ends, input: usage && inputTokens(usage), output: usage && outputTokens(usage) }
}

function comparedAsk({ messages, metadata, extras: _extras, wantsUsage: _wants, ...told }: Conversation) {
  return {
    ...told,
    userId: metadata.userId,
    messages: merged(messages).map((message) => ({ ...message, parts: textsMerged(message.parts) })),
  }
}

/** Turns of one role that follow each other are one turn. */
function merged(messages: readonly Message[]): readonly Message[] {
  return messages.reduce<readonly Message[]>((turns, message) => {
    const last = turns.at(-1)
    if (last?.role !== message.role) return [...turns, message]
    return [...turns.slice(0, -1), { ...last, parts: [...last.parts, ...message.parts] }]
  }, [])
}

/** Chat completions are sent texts that follow each other as one, with a blank line between them. */
function textsMerged(parts: readonly Part[]): readonly Part[] {
  return parts.reduce<readonly Part[]>((sum, part) => {
    const last = sum.at(-1)
    if (part.type !== 'text') return [...sum, part]
    const before = last?.type === 'text' ? last.text : ''
    const text = { ...part, text: (before + part.text).replaceAll('\n\n', '') }
    return [...(last?.type === 'text' ? sum.slice(0, -1) : sum), text]
  }, [])
}
