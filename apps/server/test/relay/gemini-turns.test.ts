import { GoogleGenAI } from '@google/genai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { messageStreamWith, messageWith } from './messages-upstream.ts'
import { openScriptedUpstream, type ScriptedUpstream } from './upstream.ts'

/** Gemini callers whose tool calls are served by another vendor, using the chats of the official client. */

let harness: RelayHarness
let claude: ScriptedUpstream
let google: GoogleGenAI

const MODEL = 'claude-sonnet-4-5-20250929'
const BLOCKS = [
  { type: 'thinking', thinking: 'Where is it? ', signature: 'sig-1' },
  { type: 'redacted_thinking', data: 'sealed-1' },
  { type: 'thinking', thinking: 'In Basel.', signature: 'sig-2' },
  { type: 'text', text: 'Let me look.' },
  { type: 'tool_use', id: 'toolu_1', name: 'look', input: { city: 'Basel' } },
  { type: 'tool_use', id: 'toolu_2', name: 'look', input: {} },
]

beforeAll(async () => {
  harness = await openRelayHarness()
  claude = await openScriptedUpstream()
  await harness.addChannel(claude.url, { type: 14, models: MODEL })
  await harness.setOption('ModelRatio', JSON.stringify({ [MODEL]: 1 }))
  const { bearer } = await harness.addCaller()
  google = new GoogleGenAI({ apiKey: bearer, httpOptions: { baseUrl: harness.url } })
})
afterAll(async () => {
  await harness.close()
  await claude.close()
})

test.each([false, true])(
  'thinking comes back with its signature and encrypted data (streamed: %s)',
  async (isStream) => {
    const parameters = { type: 'OBJECT', properties: { city: { type: 'STRING' } } }
    const chat = google.chats.create({
      model: MODEL,
      config: {
        tools: [{ functionDeclarations: [{ name: 'look', parametersJsonSchema: parameters }] }],
        maxOutputTokens: 4096,
        thinkingConfig: { includeThoughts: true, thinkingBudget: 1024 },
      },
    })
    claude.respond = isStream
      ? messageStreamWith(BLOCKS, { stop: 'tool_use' })
      : messageWith(BLOCKS, 'tool_use')
    let calls
    if (isStream) {
      for await (const chunk of await chat.sendMessageStream({ message: 'Weather?' }))
        calls = [...(calls ?? []), ...(chunk.functionCalls ?? [])]
    } else {
      calls = (await chat.sendMessage({ message: 'Weather?' })).functionCalls
    }
    expect(calls).toMatchObject([
      { id: 'toolu_1', name: 'look', args: { city: 'Basel' } },
      { id: 'toolu_2', name: 'look' },
    ])
    const message = (calls ?? []).map(({ id = '', name = '' }) => ({
      functionResponse: { id, name, response: { output: 'sunny' } },
    }))
    claude.respond = messageWith()
    await chat.sendMessage({ message })
    const { messages, thinking: wish } = claude.received.at(-1)?.body ?? {}
    expect(messages).toMatchObject([
      { role: 'user', content: 'Weather?' },
      { role: 'assistant', content: BLOCKS },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1' },
          { type: 'tool_result', tool_use_id: 'toolu_2' },
        ],
      },
    ])
    expect(wish).toMatchObject({ type: 'enabled' })
  },
)
