import process from 'node:process'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  callPart,
  partsOf,
  reasoningPart,
  someConversation,
  someReply,
  textPart,
} from '../../test/support/arbitrary.ts'
import { violations } from '../canonical/check-events.ts'
import { ReplyCollector } from '../canonical/collect.ts'
import type { ReplyEvent } from '../canonical/event.ts'
import { FrameReader } from '../canonical/frames.ts'
import type { Conversation } from '../canonical/conversation.ts'
import type { Part } from '../canonical/part.ts'
import type { Reply } from '../canonical/reply.ts'
import { replyToEvents } from '../canonical/split.ts'
import { conversations, type ConversationOperation } from '../conversations.ts'
import type { StreamTap } from '../stream/stream-tap.ts'
import { parseObject } from '../json.ts'
import type { ErrorRequest } from '../errors/render-error.ts'
import { inputTokens, outputTokens, type Usage } from '../usage.ts'
import { openTap } from './open-tap.ts'
import type { PairRules } from './pair.ts'
import { readWhole, readWholeAsStream } from './read-whole.ts'

/**
 * Properties of every pair of caller and upstream: texts, reasoning, tool calls, usage and errors are passed
 * on, wherever the bytes are cut.
 */

const DIALECTS = ['chat', 'messages', 'responses', 'generate'] as const
const PAIRS = DIALECTS.flatMap((asked) => DIALECTS.map((endpoint) => ({ asked, endpoint })))
/** `npm run verify` sets TOLLGATE_QUICK, `npm run test:faults` the long form. */
const USUAL_RUNS = process.env['TOLLGATE_FAULTS'] === 'long' ? 600 : 30
const RUNS = { seed: 11, numRuns: process.env['TOLLGATE_QUICK'] ? 10 : USUAL_RUNS }

const context = {
  model: 'model-1',
  fallbackId: '1',
  nowSeconds: 1,
  inputTokensCounted: 7,
  wantsUsage: true,
}

function rulesOf(asked: ConversationOperation, endpoint: ConversationOperation): PairRules {
  const { readUsage } = conversations[endpoint].upstream
  return { asked, caller: conversations[asked].caller, endpoint, readUsage, context }
}

/**
 * Reasoning, text and several tool calls; some upstreams send the calls one by one and others all at once.
 */
const reply = fc.tuple(someReply, partsOf(textPart, reasoningPart, callPart)).map(([each, parts]): Reply => {
  const isCall = parts.some(({ type }) => type === 'tool-call')
  const end = isCall
    ? ({ reason: 'tool-calls', raw: 'tool_calls' } as const)
    : ({ reason: 'stop', raw: 'stop' } as const)
  return { ...each, choices: [{ parts, end }] }
})
const cuts = fc.array(fc.nat(), { maxLength: 6 })

/**
 * Adapts conversations to what all vendors accept: every result belongs to a call of the turn before, and the
 * output limit is at least 16 tokens.
 */
const conversation = someConversation.map((each): Conversation => {
  let open: readonly string[] = []
  const messages = each.messages.map(({ role, parts }) => {
    const results = open.values()
    const kept = parts.flatMap((part): Part[] => {
      if (part.type !== 'tool-result') return [part]
      const { value: callId } = results.next()
      return callId === undefined ? [] : [{ ...part, callId }]
    })
    open = parts.flatMap((part) => (part.type === 'tool-call' ? [part.id] : []))
    return { role, parts: kept }
  })
  return { ...each, messages, outputTokensMax: Math.max(16, each.outputTokensMax ?? 16) }
})

describe.each(PAIRS)('$asked caller, $spoken upstream:', ({ asked, endpoint }) => {
  it('the caller gets the reply as a stream', () => {
    fc.assert(
      fc.property(reply, cuts, (said, places) => {
        const tap = openTap(rulesOf(asked, endpoint))
        const events = eventsIn(run(tap, streamOf(endpoint, said), places), asked)
        expect(violations(events)).toEqual([])
        expect(gist(collected(events))).toEqual(gist(said))
        expect(tap.reading).toMatchObject({ error: undefined, isComplete: true, hasOutput: true })
        expect(countsOf(tap.reading.usage)).toEqual(countsOf(said.usage))
      }),
      RUNS,
    )
  })

  it('the caller gets the reply whole, and also as a replayed stream', () => {
    fc.assert(
      fc.property(reply, (said) => {
        const ordered = inOrder(said)
        const body = conversations[endpoint].caller.writeReply(ordered, context)
        const bytes = Buffer.from(JSON.stringify(body))
        const rules = rulesOf(asked, endpoint)
        const whole = readWhole(bytes, rules)
        expect(countsOf(whole.reading.usage)).toEqual(countsOf(said.usage))
        const { upstream } = conversations[asked]
        const read = upstream.readReply(parseObject(whole.bytes) ?? {}, upstream.readUsage)
        expect(read.type === 'reply' && gist(read.reply)).toEqual(gist(ordered))
        const events = eventsIn(readWholeAsStream(bytes, rules).bytes, asked)
        expect(violations(events)).toEqual([])
        expect(gist(collected(events))).toEqual(gist(ordered))
      }),
      RUNS,
    )
  })

  it('the upstream gets the same conversation: system, turns, tool calls and results, images and tools', () => {
    fc.assert(
      fc.property(conversation, (said) => {
        const requestContext = { outputTokensDefault: 8192 }
        const asking = wire(conversations[asked].upstream.writeRequest(said, requestContext))
        const read = conversations[asked].caller.readConversation(asking, reported)
        const sent = wire(conversations[endpoint].upstream.writeRequest(read, requestContext))
        const understood = conversations[endpoint].caller.readConversation(sent, reported)
        expect(meaning(understood)).toEqual(meaning(said))
      }),
      RUNS,
    )
  })

  it('the caller gets an error in the middle of a stream in its own format, after the content before it', () => {
    fc.assert(
      fc.property(reply, fc.nat(), cuts, (said, place, places) => {
        const frames = framesOf(endpoint, said)
        const begun = frames.slice(0, 1 + (place % Math.max(1, frames.length - 2)))
        const tap = openTap(rulesOf(asked, endpoint))
        const failing = conversations[endpoint].caller.openWriter(context)
        const bytes = Buffer.concat([...begun, ...failing.fail(failure)])
        const passed = run(tap, bytes, places)
        expect(tap.reading.error?.message).toContain('Overloaded')
        expect(passed.toString()).not.toContain('Overloaded')
        // The chat-to-chat tap has no `fail`, so the caller dialect's error frame is used; all other taps
        // write the error themselves.
        const reported = tap.fail?.(failure) ?? conversations[asked].caller.openWriter(context).fail(failure)
        const ended = Buffer.concat([passed, ...reported])
        const events = eventsIn(ended, asked)
        expect(events.at(-1)).toMatchObject({
          type: 'error',
          error: { message: expect.stringContaining('Overloaded') },
        })
        const wrong = violations(events.slice(0, -1)).filter((text) => !/no end|open/.test(text))
        expect(wrong).toEqual([])
      }),
      RUNS,
    )
  })
})

/** Values that Gemini callers put into the URL. */
const reported = { pathModel: 'model-1', isStream: false }

function wire(body: object): Record<string, unknown> {
  return parseObject(JSON.stringify(body)) ?? {}
}

/**
 * The contents of a conversation that must survive a conversion. Ids only pair a call with its result, so
 * they are replaced by numbers. Reasoning signed by another vendor is not sent, and not every dialect has
 * stop sequences. Boundaries between consecutive texts are lost in fragments of a stream, and chat
 * completions get a blank line there.
 */
function meaning({ messages, tools, toolChoice, outputTokensMax, sampling }: Conversation) {
  const calls: string[] = []
  const place = (id: string) => (calls.includes(id) ? calls.indexOf(id) : calls.push(id) - 1)
  const said = messages.flatMap(({ role, parts: all }) =>
    all.filter(({ type }) => type !== 'reasoning').map((part) => [role, gistOf(part, place)] as const),
  )
  const parts = said.reduce<(readonly [string, unknown])[]>((sum, [role, each]) => {
    const [lastRole, last] = sum.at(-1) ?? []
    const goesOn = lastRole === role && typeof last === 'string'
    if (!goesOn || typeof each !== 'string') return [...sum, [role, each]]
    return [...sum.slice(0, -1), [role, withoutBlankLines(last + each)]]
  }, [])
  const named = (tools ?? []).map((tool) => (tool.type === 'function' ? tool.name : tool.type))
  return { parts, named, toolChoice, outputTokensMax, temperature: sampling.temperature }
}

function withoutBlankLines(text: string): string {
  return text.replaceAll('\n\n', '')
}

function gistOf(part: Part, place: (id: string) => number): unknown {
  if (part.type === 'tool-call') return [place(part.id), part.name, JSON.parse(part.arguments)]
  if (part.type === 'tool-result') return [part.parts.map((each) => gistOf(each, place))]
  if (part.type === 'text') return withoutBlankLines(part.text)
  return part.type === 'image' ? part.source : part.type
}

const failure: ErrorRequest = {
  requestId: 'r1',
  language: 'en',
  upstreamError: {
    status: 529,
    message: 'Overloaded',
    type: 'overloaded_error',
    code: 'overloaded',
    param: null,
    raw: undefined,
  },
}

function framesOf(endpoint: ConversationOperation, said: Reply): Buffer[] {
  const writer = conversations[endpoint].caller.openWriter(context)
  return replyToEvents(said).flatMap((event) => writer.push(event))
}

/**
 * The stream as a vendor would send it, written with this package's own writers, because only they cover
 * every dialect.
 */
function streamOf(endpoint: ConversationOperation, said: Reply): Buffer {
  return Buffer.concat(framesOf(endpoint, said))
}

function run(tap: StreamTap, bytes: Buffer, places: readonly number[]): Buffer {
  const ends = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length]
  const output = ends
    .toSorted((a, b) => a - b)
    .flatMap((end, at, sorted) => (at === 0 ? [] : tap.push(bytes.subarray(sorted[at - 1] ?? 0, end))))
  return Buffer.concat([...output, ...tap.end()])
}

function eventsIn(bytes: Buffer, asked: ConversationOperation): ReplyEvent[] {
  const { upstream } = conversations[asked]
  const reader = upstream.openReader(upstream.readUsage)
  const frames = new FrameReader()
  const events = [...frames.push(bytes), ...frames.end()].flatMap((frame) => reader.push(frame))
  return [...events, ...reader.end()]
}

function collected(events: readonly ReplyEvent[]): Reply {
  const collector = new ReplyCollector()
  for (const event of events) collector.push(event)
  return collector.reply()
}

/**
 * The contents of a reply that must survive a conversion; ids and the position of texts between calls may
 * change.
 */
function gist({ choices, usage }: Reply) {
  const [choice] = choices
  const parts = choice?.parts ?? []
  return {
    text: joined(parts, 'text'),
    reasoning: joined(parts, 'reasoning'),
    calls: parts.flatMap((part) =>
      part.type === 'tool-call' ? [[part.name, JSON.parse(part.arguments)]] : [],
    ),
    reason: choice?.end.reason,
    usage: countsOf(usage),
  }
}

function joined(parts: readonly Part[], type: 'text' | 'reasoning'): string {
  return parts.flatMap((part) => (part.type === type ? [part.text] : [])).join('')
}

function countsOf(usage: Usage | undefined): object | undefined {
  if (usage === undefined || inputTokens(usage) + outputTokens(usage) === 0) return undefined
  return { input: inputTokens(usage), cached: usage.cacheRead, output: outputTokens(usage) }
}

/**
 * Sorts parts into reasoning, text, calls, with one part each of the first two: every dialect can express
 * that as a whole response.
 */
function inOrder(said: Reply): Reply {
  const choices = said.choices.map((choice) => {
    const first = (type: Part['type']) => choice.parts.filter((part) => part.type === type).slice(0, 1)
    const calls = choice.parts.filter(({ type }) => type === 'tool-call')
    return { ...choice, parts: [...first('reasoning'), ...first('text'), ...calls] }
  })
  return { ...said, choices }
}
