import { describe, expect, it } from 'vitest'
import { DroppedMembers } from '@tollgate/dialects/canonical/dropped'
import type { Conversation, Message } from '@tollgate/dialects/canonical/conversation'
import type { Part } from '@tollgate/dialects/canonical/part'
import { withAnsweredCalls } from './answered-calls.ts'
import { withContinuation } from './continued-answer.ts'
import { withWholeArguments, withWholeTexts } from './well-formed.ts'

function conversation(...messages: readonly Message[]): Conversation {
  return {
    model: 'm',
    isStream: false,
    messages,
    tools: [],
    sampling: {},
    stop: [],
    choices: 1,
    metadata: {},
    extras: {},
  }
}

const text = (said: string): Part => ({ type: 'text', text: said })
const call = (id: string, written = '{}'): Part => ({
  type: 'tool-call',
  id,
  name: 'f',
  arguments: written,
  kind: 'function',
})
const result = (callId: string, said = 'r'): Part => ({ type: 'tool-result', callId, parts: [text(said)] })
const user = (...parts: readonly Part[]): Message => ({ role: 'user', parts })
const model = (...parts: readonly Part[]): Message => ({ role: 'assistant', parts })

/** One word for each part: `call c1`, `result c1`, `no result c1`, or the text. */
function wordsIn({ messages }: Conversation): readonly string[] {
  return messages.flatMap(({ parts }) =>
    parts.map((part) => {
      if (part.type === 'tool-call') return `call ${part.id}`
      if (part.type === 'tool-result') return `${part.isError === true ? 'no ' : ''}result ${part.callId}`
      return part.type === 'text' ? part.text : part.type
    }),
  )
}

describe('calls without results', () => {
  it.each<[string, readonly Message[], readonly string[]]>([
    ['no result of one', [model(call('a')), user(text('stop'))], ['call a', 'no result a', 'stop']],
    ['a call at the end', [user(text('x')), model(call('a'))], ['x', 'call a', 'no result a']],
    [
      'one result of two',
      [model(call('a'), call('b')), user(result('b')), user(text('y'))],
      ['call a', 'call b', 'no result a', 'result b', 'y'],
    ],
    [
      'a result after a turn of the user',
      [model(call('a')), user(text('hurry')), user(result('a'))],
      ['call a', 'result a', 'hurry'],
    ],
    [
      'a result after another turn of the model',
      [model(call('a')), user(text('x')), model(text('y')), user(result('a'))],
      ['call a', 'result a', 'x', 'y'],
    ],
    [
      'an id that is used again',
      [model(call('a')), user(result('a')), model(call('a')), user(result('a'))],
      ['call a', 'result a', 'call a_2', 'result a_2'],
    ],
    [
      'an id that is used again, the first time without a result',
      [model(call('a')), user(text('no')), model(call('a')), user(result('a'))],
      ['call a', 'no result a', 'no', 'call a_2', 'result a_2'],
    ],
  ])('%s', (_name, messages, expected) => {
    expect(wordsIn(withAnsweredCalls(conversation(...messages)))).toEqual(expected)
  })

  it('a conversation in order stays the same', () => {
    const ordered = conversation(
      user(text('x')),
      model(call('a'), call('b')),
      user(result('b')),
      user(result('a'), text('y')),
      model(text('z')),
      user(text('more')),
    )
    expect(withAnsweredCalls(ordered)).toBe(ordered)
  })
})

describe('halves of surrogate pairs', () => {
  it.each([
    ['cut \ud83d here', 'cut \ufffd here'],
    ['\udf26 rain', '\ufffd rain'],
    ['sun \u{1f326} rain', 'sun \u{1f326} rain'],
  ])('%j is sent as %j', (said, sent) => {
    expect(withWholeTexts({ messages: [{ content: [{ text: said }] }] })).toEqual({
      messages: [{ content: [{ text: sent }] }],
    })
  })

  it('a whole body stays the same object', () => {
    const body = { messages: [{ content: 'sun \u{1f326}' }], n: 1 }
    expect(withWholeTexts(body)).toBe(body)
  })

  it.each([
    [String.raw`{"a":"\ud83d"}`, String.raw`{"a":"\ufffd"}`],
    [String.raw`{"a":"\uDF26\ud83c\udf26\ud83c"}`, String.raw`{"a":"\ufffd\ud83c\udf26\ufffd"}`],
    ['{"a":"\ud83d"}', '{"a":"\ufffd"}'],
  ])('arguments %j become %j, and the change is named', (written, sent) => {
    const dropped = new DroppedMembers()
    const { messages } = withWholeArguments(conversation(model(call('a', written))), dropped)
    expect(messages[0]?.parts[0]).toMatchObject({ arguments: sent })
    expect(dropped.names).toEqual(['arguments.half_characters'])
  })

  it.each([String.raw`{"a":"\\ud83d"}`, String.raw`{"a":"\ud83c\udf26 \n"}`, 'no JSON'])(
    'arguments %j stay as they are',
    (written) => {
      const dropped = new DroppedMembers()
      const asked = conversation(model(call('a', written)))
      expect(withWholeArguments(asked, dropped)).toBe(asked)
      expect(dropped.names).toEqual([])
    },
  )
})

describe('a conversation that ends with the model', () => {
  it.each(['The maximum number of steps is reached.', 'Sure: \n', 'I will {'])(
    'after %j a model without prefill is told to continue',
    (said) => {
      const asked = conversation(user(text('x')), model(text(said)))
      const { messages } = withContinuation(asked, { prefill: false })
      expect(messages.slice(0, 2)).toEqual(asked.messages)
      expect(messages[2]).toMatchObject({
        role: 'user',
        parts: [{ text: expect.stringMatching(/^Continue .* Do not repeat/) }],
      })
    },
  )

  it.each(['{', '[{', '```json\n', '<answer>', '{"name": "'])('%j as a forced form is refused', (said) => {
    const asked = conversation(user(text('x')), model(text(said)))
    expect(() => withContinuation(asked, { prefill: false })).toThrow(/forces the form/)
  })

  it('stays the same for a model that takes it, and where the user spoke last', () => {
    const ending = conversation(user(text('x')), model(text('{')))
    expect(withContinuation(ending, {})).toBe(ending)
    const answered = conversation(user(text('x')), model(text('{')), user(text('y')))
    expect(withContinuation(answered, { prefill: false })).toBe(answered)
  })
})
