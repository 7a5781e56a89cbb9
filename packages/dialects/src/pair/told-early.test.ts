import { describe, expect, it } from 'vitest'
import { conversations, type ConversationOperation } from '../conversations.ts'
import { openTap } from './open-tap.ts'

/** What a converted stream tells at its beginning and with its texts: the input, and log probabilities. */

const context = { model: 'm', fallbackId: '1', nowSeconds: 1, inputTokensCounted: 555, wantsUsage: true }

function converted(
  asked: ConversationOperation,
  endpoint: ConversationOperation,
  frames: readonly object[],
): string {
  const { caller } = conversations[asked]
  const { readUsage } = conversations[endpoint].upstream
  const tap = openTap({ asked, caller, endpoint, readUsage, context })
  const pieces = frames.flatMap((frame) => [...tap.push(Buffer.from(`data: ${JSON.stringify(frame)}\n\n`))])
  return Buffer.concat([...pieces, ...tap.end()]).toString()
}

function dataOf(text: string): Record<string, unknown>[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)))
}

const spoken = (text: string, more: object = {}) => ({
  candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, ...more }],
})
const usage = (counts: object) => ({ usageMetadata: { promptTokenCount: 100, ...counts } })
const FINISH = { candidates: [{ index: 0, content: { parts: [{ text: '' }] }, finishReason: 'STOP' }] }

function startOf(frames: readonly object[]) {
  return dataOf(converted('messages', 'generate', frames)).find(({ type }) => type === 'message_start')
}

describe('the usage of message_start', () => {
  it.each([
    ['of the first fragment', [{ ...spoken('a'), ...usage({ cachedContentTokenCount: 30 }) }, FINISH]],
    ['of a fragment before the first content', [usage({ cachedContentTokenCount: 30 }), spoken('a'), FINISH]],
  ])("is the vendor's count %s, less its cache reads", (_title, frames) => {
    expect(startOf(frames)).toMatchObject({
      message: { usage: { input_tokens: 70, cache_read_input_tokens: 30 } },
    })
  })

  it('is the estimate where the vendor told nothing by then', () => {
    expect(startOf([spoken('a'), { ...FINISH, ...usage({}) }])).toMatchObject({
      message: { usage: { input_tokens: 555 } },
    })
  })
})

const chosen = [
  { token: 'Ro', logProbability: -0.1, tokenId: 7 },
  { token: 'me', logProbability: -0.3 },
]
const likeliest = [
  {
    candidates: [
      { token: 'Ro', logProbability: -0.1 },
      { token: 'Pa', logProbability: -2 },
    ],
  },
  { candidates: [{ token: 'me', logProbability: -0.3 }] },
]
const logprobsResult = { chosenCandidates: chosen, topCandidates: likeliest }
const chatLogprobs = [
  {
    token: 'Ro',
    logprob: -0.1,
    top_logprobs: [
      { token: 'Ro', logprob: -0.1 },
      { token: 'Pa', logprob: -2 },
    ],
  },
  { token: 'me', logprob: -0.3, top_logprobs: [{ token: 'me', logprob: -0.3 }] },
]

function whole(
  asked: ConversationOperation,
  endpoint: ConversationOperation,
  answer: Record<string, unknown>,
): string {
  const { upstream } = conversations[endpoint]
  const read = upstream.readReply(answer, upstream.readUsage)
  if (read.type !== 'reply') return expect.fail('the answer is a reply')
  return JSON.stringify(conversations[asked].caller.writeReply(read.reply, context))
}

function chunk(choice: object): object {
  return { id: 'c', choices: [{ index: 0, ...choice }] }
}

describe('log probabilities', () => {
  const { chat, responses, generate } = conversations

  it('of Gemini reach callers of chat completions and of Responses', () => {
    const answer = { ...spoken('Rome', { finishReason: 'STOP', logprobsResult }) }
    expect(JSON.parse(whole('chat', 'generate', answer))).toMatchObject({
      choices: [{ logprobs: { content: chatLogprobs } }],
    })
    expect(JSON.parse(whole('responses', 'generate', answer))).toMatchObject({
      output: [{ content: [{ logprobs: chatLogprobs }] }],
    })
    for (const asked of ['chat', 'responses'] as const) {
      const text = converted(asked, 'generate', [spoken('Rome', { logprobsResult }), FINISH])
      const told = dataOf(text).flatMap((event) => (JSON.stringify(event).includes('-0.3') ? [event] : []))
      expect(told.length).toBeGreaterThan(0)
      expect(JSON.stringify(told[0])).toContain('"top_logprobs":[{"token":"Ro","logprob":-0.1')
    }
  })

  it.each([
    [
      'chat',
      {
        choices: [
          { message: { content: 'Rome' }, logprobs: { content: chatLogprobs }, finish_reason: 'stop' },
        ],
      },
    ],
    [
      'responses',
      {
        status: 'completed',
        output: [
          {
            type: 'message',
            role: 'assistant',
            content: [{ type: 'output_text', text: 'Rome', logprobs: chatLogprobs }],
          },
        ],
      },
    ],
  ] as const)('of %s reach a Gemini caller', (endpoint, answer) => {
    const { candidates } = JSON.parse(whole('generate', endpoint, answer))
    expect(candidates[0].avgLogprobs).toBeCloseTo(-0.2)
    expect(candidates[0].logprobsResult).toEqual({
      chosenCandidates: [
        { token: 'Ro', logProbability: -0.1 },
        { token: 'me', logProbability: -0.3 },
      ],
      topCandidates: likeliest,
    })
  })

  it('of a stream of chat completions reach a Gemini caller with their text', () => {
    const text = converted('generate', 'chat', [
      chunk({ delta: { content: 'Ro' }, logprobs: { content: chatLogprobs.slice(0, 1) } }),
      chunk({ delta: { content: 'me' }, logprobs: { content: chatLogprobs.slice(1) } }),
      chunk({ delta: {}, finish_reason: 'stop' }),
    ])
    const told = dataOf(text).map((event) => JSON.stringify(event))
    expect(told[0]).toContain('"chosenCandidates":[{"token":"Ro","logProbability":-0.1}]')
    expect(told[1]).toContain('"chosenCandidates":[{"token":"me","logProbability":-0.3}]')
  })

  it('are asked for in the terms of each vendor', () => {
    const asked = [
      chat.caller.readConversation({ model: 'm', messages: [], logprobs: true, top_logprobs: 2 }, {}),
      responses.caller.readConversation(
        { model: 'm', input: 'x', top_logprobs: 2, include: ['message.output_text.logprobs'] },
        {},
      ),
      generate.caller.readConversation(
        {
          contents: [{ parts: [{ text: 'x' }] }],
          generation_config: { response_logprobs: true, logprobs: 2 },
        },
        { model: 'm' },
      ),
    ]
    for (const conversation of asked) {
      const body = (operation: ConversationOperation) =>
        conversations[operation].upstream.writeRequest(conversation, { outputTokensDefault: 9 })
      expect(body('chat')).toMatchObject({ logprobs: true, top_logprobs: 2 })
      expect(body('responses')).toMatchObject({ top_logprobs: 2, include: ['message.output_text.logprobs'] })
      expect(body('generate')).toMatchObject({ generationConfig: { responseLogprobs: true, logprobs: 2 } })
    }
  })
})
