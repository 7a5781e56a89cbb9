import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { someReply } from '../../test/support/arbitrary.ts'
import { violations } from './check-events.ts'
import { ReplyCollector } from './collect.ts'
import type { Conversation } from './conversation.ts'
import type { ReplyEvent } from './event.ts'
import { featureNames, features, refusedFeature } from './feature.ts'
import { noUsage } from '../usage.ts'
import type { Reply } from './reply.ts'
import { replyToEvents } from './split.ts'

function collected(events: readonly ReplyEvent[]): Reply {
  const collector = new ReplyCollector()
  for (const event of events) collector.push(event)
  return collector.reply()
}

const start: ReplyEvent = { type: 'reply-start', id: 'r', model: 'm' }
const end: ReplyEvent = { type: 'reply-end' }
const done: ReplyEvent = { type: 'choice-end', choice: 0, end: { reason: 'stop', raw: 'stop' } }
const usage: ReplyEvent = { type: 'usage', usage: noUsage }

function piece(text: string): string {
  return Buffer.from(text).toString('base64')
}

function open(part: number): ReplyEvent {
  return { type: 'part-start', choice: 0, part, opening: { type: 'text', text: '' } }
}

function text(part: number): ReplyEvent {
  return { type: 'text-delta', choice: 0, part, text: 'a' }
}

function close(part: number): ReplyEvent {
  return { type: 'part-end', choice: 0, part }
}

describe('whole replies and event streams', () => {
  it('convert into each other without loss', () => {
    fc.assert(
      fc.property(someReply, (reply) => {
        const events = replyToEvents(reply)
        expect(violations(events)).toEqual([])
        expect(collected(events)).toEqual(reply)
      }),
      { seed: 4 },
    )
  })

  it('keep signatures, citations, images and audio', () => {
    const reply: Reply = {
      id: 'r',
      model: 'm',
      choices: [
        {
          parts: [
            {
              type: 'reasoning',
              text: 'hm',
              signature: { dialect: 'anthropic', value: 'c2ln' },
            },
            { type: 'redacted-reasoning', data: { dialect: 'anthropic', value: 'eHh4' } },
            {
              type: 'text',
              text: 'Paris',
              citations: [{ url: 'https://example.org', raw: { dialect: 'openai', value: {} } }],
              logprobs: [{ token: 'Paris', logprob: -0.1, top: [] }],
            },
            { type: 'image', source: { type: 'data', mediaType: 'image/png', base64: 'AAAA' } },
            { type: 'opaque', raw: { dialect: 'anthropic', value: { type: 'server_tool_use' } } },
          ],
          end: { reason: 'stop', raw: 'end_turn' },
        },
      ],
    }
    expect(violations(replyToEvents(reply))).toEqual([])
    expect(collected(replyToEvents(reply))).toEqual(reply)
  })

  it('joins audio that was base64-encoded in pieces', () => {
    const place = { choice: 0, part: 0 }
    const { choices } = collected([
      { type: 'reply-start', id: 'r', model: 'm' },
      {
        type: 'part-start',
        ...place,
        opening: { type: 'audio', source: { type: 'data', mediaType: 'audio/wav', base64: '' } },
      },
      { type: 'audio-delta', ...place, base64: piece('ab'), transcript: 'Hel' },
      { type: 'audio-delta', ...place, base64: piece('cde'), transcript: 'lo' },
    ])
    expect(choices[0]?.parts[0]).toMatchObject({ source: { base64: piece('abcde') }, transcript: 'Hello' })
  })
})

describe('EventCheck', () => {
  it.each<{ wrong: string; events: readonly ReplyEvent[] }>([
    { wrong: 'a delta before the start', events: [text(0), start, end] },
    { wrong: 'two starts', events: [start, start, end] },
    { wrong: 'a part that skips a number', events: [start, open(1), close(1), done, end] },
    { wrong: 'two parts at once', events: [start, open(0), open(1), close(1), close(0), done, end] },
    { wrong: 'a part closed twice', events: [start, open(0), close(0), close(0), done, end] },
    { wrong: 'a delta after its part', events: [start, open(0), close(0), text(0), done, end] },
    { wrong: 'a part left open', events: [start, open(0), done, end] },
    { wrong: 'a choice without an end', events: [start, open(0), close(0), end] },
    { wrong: 'two ends of a choice', events: [start, done, done, end] },
    { wrong: 'usage twice', events: [start, done, usage, usage, end] },
    { wrong: 'something after the end', events: [start, done, end, done] },
    { wrong: 'no end', events: [start, done] },
    {
      wrong: 'a delta of another kind',
      events: [
        start,
        open(0),
        { type: 'arguments-delta', choice: 0, part: 0, text: '{}' },
        close(0),
        done,
        end,
      ],
    },
  ])('the reader finds $wrong', ({ events }) => {
    expect(violations(events)).not.toEqual([])
  })
})

describe('features', () => {
  const plain: Conversation = {
    model: 'm',
    isStream: false,
    messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
    tools: [],
    sampling: {},
    stop: [],
    choices: 1,
    metadata: {},
    extras: {},
  }

  it('none is used by a plain conversation', () => {
    expect(featureNames.filter((name) => features[name].isUsedBy(plain))).toEqual([])
  })

  it('the first refused feature is named, and a dropped one is not', () => {
    const asked: Conversation = { ...plain, sampling: { seed: 1 }, choices: 2 }
    expect(refusedFeature(asked, { seed: { does: 'drop', because: 'only a hint' } })).toBeUndefined()
    const because = 'one answer a call'
    expect(refusedFeature(asked, { 'several-choices': { does: 'refuse', because } })).toBe('several-choices')
  })
})
