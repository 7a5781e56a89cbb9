import { ApiError } from '@tollgate/contract/client'
import { describe, expect, it } from 'vitest'
import type { AnswerEvent } from './answer/answer-reader.ts'
import type { AnswerMessage, Conversation } from './conversation/conversation.ts'
import type { ChatRequest } from './conversation/request.ts'
import { createPlayground, type PlaygroundPorts, type PlaygroundState } from './playground.ts'

type StreamInput = Parameters<PlaygroundPorts['stream']>[0]

const settings = {
  model: 'm',
  group: '',
  temperature: 0,
  maxTokens: 0,
  systemPrompt: 'Be brief.',
  reconnects: false,
}

/** A playground whose response stream is provided by the test. */
function playgroundWith(
  stream: (input: StreamInput) => Promise<void>,
  charges: Readonly<Record<string, number>> = {},
) {
  const requests: ChatRequest[] = []
  const saved: PlaygroundState[] = []
  const waits: number[] = []
  let ids = 0
  let unauthorized = 0
  const playground = createPlayground(
    { settings, conversation: [] },
    {
      stream: (input) => {
        requests.push(input.request)
        return stream(input)
      },
      findCharge: async (requestId) => charges[requestId],
      errorText: (error) => (error instanceof Error ? error.message : 'odd'),
      onUnauthorized: () => unauthorized++,
      save: (state) => saved.push(state),
      nowMs: () => 1000,
      wait: async (ms) => void waits.push(ms),
      newId: () => `id${++ids}`,
    },
  )
  const conversation = (): Conversation => playground.store.getState().conversation
  const answer = (): AnswerMessage => {
    const last = conversation().at(-1)
    if (last?.role !== 'assistant') throw new Error('the last message is not an answer')
    return last
  }
  return { playground, requests, saved, waits, conversation, answer, unauthorizedCount: () => unauthorized }
}

const saying = (text: string): AnswerEvent[] => [{ type: 'text-delta', text }]
const done: AnswerEvent[] = [{ type: 'done' }]

describe('ask', () => {
  it('sends the system prompt and the question, and shows the answer and its cost', async () => {
    const { playground, requests, answer } = playgroundWith(
      async ({ onAccepted, onEvents }) => {
        onAccepted('call-1')
        onEvents(saying('Hel'))
        onEvents(saying('lo'))
        onEvents(done)
      },
      { 'call-1': 42 },
    )
    await playground.ask('Hi')
    await Promise.resolve()
    expect(requests[0]).toEqual({
      model: 'm',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
      stream: true,
      stream_options: { include_usage: true },
    })
    expect(answer()).toMatchObject({
      state: 'complete',
      text: 'Hello',
      requestId: 'call-1',
      chargedUnits: 42,
    })
  })

  it('sends the earlier messages, without empty answers', async () => {
    const { playground, requests } = playgroundWith(async ({ onEvents }) =>
      onEvents(requests.length === 1 ? [{ type: 'error', message: 'broke' }] : [...saying('Yes'), ...done]),
    )
    await playground.ask('One')
    await playground.ask('Two')
    await playground.ask('Three')
    expect(requests[2]?.messages.slice(1).map(({ content }) => content)).toEqual([
      'One',
      'Two',
      'Yes',
      'Three',
    ])
  })

  it('shows the message of an error response', async () => {
    const { playground, answer } = playgroundWith(() => Promise.reject(new ApiError('No quota left', 403)))
    await playground.ask('Hi')
    expect(answer()).toMatchObject({ state: 'error', error: 'No quota left' })
  })

  it('redirects to the sign-in page when the session has expired', async () => {
    const { playground, unauthorizedCount } = playgroundWith(() => Promise.reject(new ApiError('', 401)))
    await playground.ask('Hi')
    expect(unauthorizedCount()).toBe(1)
  })
})

/** Streams one word and then waits until it is stopped. */
const endless = ({ onAccepted, onEvents, signal }: StreamInput) =>
  new Promise<void>((_resolve, reject) => {
    onAccepted('call-1')
    onEvents(saying('word '))
    signal.addEventListener('abort', () => reject(new Error('aborted')))
  })

describe('stop', () => {
  it('keeps the text received so far and reports no error', async () => {
    const { playground, answer, saved } = playgroundWith(endless)
    const asked = playground.ask('Hi')
    playground.stop()
    await asked
    expect(answer()).toMatchObject({ state: 'stopped', text: 'word ' })
    expect(saved.at(-1)?.conversation.at(-1)).toMatchObject({ state: 'stopped' })
  })

  it('is called when another question is sent', async () => {
    const { playground, conversation } = playgroundWith((input) =>
      conversation().length > 2 ? Promise.resolve(input.onEvents(done)) : endless(input),
    )
    const first = playground.ask('One')
    await playground.ask('Two')
    await first
    const states = conversation().flatMap((message) => (message.role === 'assistant' ? [message.state] : []))
    expect(states).toEqual(['stopped', 'complete'])
  })
})

describe('retry and edit', () => {
  it('replaces a retried answer and sends the same context again', async () => {
    const { playground, requests, conversation, answer } = playgroundWith(async ({ onEvents }) =>
      onEvents([...saying(`answer ${requests.length}`), ...done]),
    )
    await playground.ask('Hi')
    await playground.retry(answer().id)
    expect(conversation()).toHaveLength(2)
    expect(answer().text).toBe('answer 2')
    expect(requests[1]?.messages).toEqual(requests[0]?.messages)
  })

  it('sends the new text of an edited question', async () => {
    const { playground, requests, conversation } = playgroundWith(async ({ onEvents }) => onEvents(done))
    await playground.ask('Hi')
    const [question] = conversation()
    await playground.edit(question?.id ?? '', 'Hello')
    expect(requests[1]?.messages.at(-1)).toEqual({ role: 'user', content: 'Hello' })
    expect(conversation()).toHaveLength(2)
  })
})

const broken = async ({ onAccepted, onEvents }: StreamInput) => {
  onAccepted('call-1')
  onEvents(saying('Hel'))
  throw new ApiError('', 0)
}

describe('a broken connection', () => {
  it('fails the answer when reconnecting is off', async () => {
    const { playground, requests, waits, answer } = playgroundWith(broken)
    await playground.ask('Hi')
    expect([requests.length, waits, answer().state]).toEqual([1, [], 'error'])
  })

  it('is retried after three seconds when reconnecting is on, and the answer starts over', async () => {
    const { playground, requests, waits, answer } = playgroundWith(async (input) => {
      if (requests.length === 1) await broken(input)
      input.onEvents([...saying('Hello'), ...done])
    })
    playground.change({ reconnects: true })
    await playground.ask('Hi')
    expect([requests.length, waits]).toEqual([2, [3000]])
    expect(answer()).toMatchObject({ state: 'complete', text: 'Hello' })
  })

  it('is given up after three retries, and an error response is not retried', async () => {
    const { playground, requests, answer } = playgroundWith(broken)
    playground.change({ reconnects: true })
    await playground.ask('Hi')
    expect([requests.length, answer().state]).toEqual([4, 'error'])
    const refused = playgroundWith(() => Promise.reject(new ApiError('No quota left', 403)))
    refused.playground.change({ reconnects: true })
    await refused.playground.ask('Hi')
    expect(refused.requests).toHaveLength(1)
  })
})

describe('images', () => {
  it('are sent with the question, and stay with it when its text is edited', async () => {
    const { playground, requests, conversation } = playgroundWith(async ({ onEvents }) => onEvents(done))
    await playground.ask('What is it?', ['data:image/png;base64,AA'])
    await playground.edit(conversation()[0]?.id ?? '', 'And now?')
    expect(requests.map(({ messages }) => messages.at(-1)?.content)).toEqual([
      [
        { type: 'text', text: 'What is it?' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
      ],
      [
        { type: 'text', text: 'And now?' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
      ],
    ])
  })
})

it('assembles a requested tool call from its deltas', async () => {
  const { playground, answer } = playgroundWith(async ({ onEvents }) => {
    onEvents([{ type: 'tool-call-delta', index: 0, name: 'weather', text: '' }])
    onEvents([{ type: 'tool-call-delta', index: 0, name: '', text: '{"city":' }])
    onEvents([{ type: 'tool-call-delta', index: 0, name: '', text: '"Oslo"}' }, ...done])
  })
  await playground.ask('Hi')
  expect(answer()).toMatchObject({
    state: 'complete',
    toolCalls: [{ name: 'weather', input: '{"city":"Oslo"}' }],
  })
})
