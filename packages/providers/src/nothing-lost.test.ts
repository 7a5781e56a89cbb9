import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readAsk } from '@tollgate/dialects/ask'
import type { ConversationOperation } from '@tollgate/dialects/conversations'
import { isRecord, recordAt, textAt } from '@tollgate/dialects/json'
import { Problem } from '@tollgate/problems/problem'
import { expect, it } from 'vitest'
import { defaultChannelSettings } from './channel-settings.ts'
import { CALLERS } from './define/reference.ts'
import { providers } from './index.ts'
import { prepareAttempt } from '../test/prepare-attempt.ts'
import { resolveEndpoint } from './prepare/resolve-endpoint.ts'
import type { Provider } from './provider.ts'

/**
 * Checks that everything in a request reaches the provider, is refused, or is reported as dropped. Each
 * member is sent with and without: if the upstream request is the same both times and nothing is reported,
 * the member was lost silently.
 */

const FIXTURES = fileURLToPath(new URL('../fixtures/', import.meta.url))

const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }
const chatTool = (more: object = {}) => ({
  type: 'function',
  function: { name: 'f', parameters: schema, ...more },
})
const claudeTool = (more: object = {}) => ({ name: 'f', input_schema: schema, ...more })
const search = (more: object = {}) => ({ type: 'web_search_20250305', name: 'web_search', ...more })
const said = (content: unknown, more: object = {}) => ({ messages: [{ role: 'user', content, ...more }] })
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const picture = (more: object = {}) =>
  said([{ type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}`, ...more } }])
const paper = (more: object = {}) =>
  said([{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'words' }, ...more }])
const answered = (more: object = {}) => ({
  tools: [claudeTool()],
  messages: [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'no', ...more }] },
  ],
})
const pdf = { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' }

/** A request with the member, and the same request without it, if that differs from the plain question. */
type Case = readonly [wanted: object, otherwise?: object]

const withTools = (more: object): Case => [{ tools: [chatTool()], ...more }, { tools: [chatTool()] }]

const cases: Readonly<Record<ConversationOperation, Readonly<Record<string, Case>>>> = {
  chat: {
    n: [{ n: 2 }],
    temperature: [{ temperature: 0.3 }],
    top_p: [{ top_p: 0.3 }],
    top_k: [{ top_k: 5 }],
    seed: [{ seed: 5 }],
    frequency_penalty: [{ frequency_penalty: 0.5 }],
    presence_penalty: [{ presence_penalty: 0.5 }],
    logit_bias: [{ logit_bias: { 5: 1 } }],
    logprobs: [{ logprobs: true }],
    stop: [{ stop: ['END'] }],
    max_tokens: [{ max_tokens: 77 }],
    json: [{ response_format: { type: 'json_object' } }],
    schema: [{ response_format: { type: 'json_schema', json_schema: { name: 'x', schema } } }],
    verbosity: [{ verbosity: 'low' }],
    service_tier: [{ service_tier: 'flex' }],
    user: [{ user: 'u1' }],
    prompt_cache_key: [{ prompt_cache_key: 'k' }],
    metadata: [{ metadata: { a: 'b' } }],
    reasoning_effort: [{ reasoning_effort: 'low' }],
    tools: [{ tools: [chatTool()] }],
    strict: [{ tools: [chatTool({ strict: true })] }, { tools: [chatTool()] }],
    'tools with free text': [{ tools: [{ type: 'custom', custom: { name: 'c' } }] }],
    'tools nobody knows': [{ tools: [{ type: 'odd', odd: {} }] }],
    parallel_tool_calls: withTools({ parallel_tool_calls: false }),
    'a required tool': withTools({ tool_choice: 'required' }),
    'no tool': withTools({ tool_choice: 'none' }),
    'a named tool': withTools({ tool_choice: { type: 'function', function: { name: 'f' } } }),
    web_search_options: [{ web_search_options: {} }],
    'a name': [said('hi', { name: 'bob' })],
    'an image': [picture()],
    'an image in detail': [picture({ detail: 'high' }), picture()],
    'a recording': [said([{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }])],
    'a document': [said([{ type: 'file', file: pdf }])],
    modalities: [{ modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } }],
    prediction: [{ prediction: { type: 'content', content: 'x' } }],
    'a member nobody knows': [{ min_p: 0.1 }],
  },
  messages: {
    cache_control: [said([{ type: 'text', text: 'hi', cache_control: { type: 'ephemeral' } }])],
    'cache_control of tools': [
      { tools: [claudeTool({ cache_control: { type: 'ephemeral' } })] },
      { tools: [claudeTool()] },
    ],
    top_k: [{ top_k: 3 }],
    stop_sequences: [{ stop_sequences: ['E'] }],
    user_id: [{ metadata: { user_id: 'u' } }],
    service_tier: [{ service_tier: 'standard_only' }],
    'a thinking budget': [{ thinking: { type: 'enabled', budget_tokens: 2000 } }],
    effort: [{ output_config: { effort: 'low' } }],
    format: [{ output_config: { format: { type: 'json_schema', schema } } }],
    strict: [{ tools: [claudeTool({ strict: true })] }, { tools: [claudeTool()] }],
    input_examples: [{ tools: [claudeTool({ input_examples: [{ a: 'b' }] })] }, { tools: [claudeTool()] }],
    'a failed tool': [answered({ is_error: true }), answered()],
    'a document': [paper()],
    'the title of a document': [paper({ title: 'T' }), paper()],
    'the context of a document': [paper({ context: 'C' }), paper()],
    'citations of a document': [paper({ citations: { enabled: true } }), paper()],
    'searches at most': [{ tools: [search({ max_uses: 2 })] }, { tools: [search()] }],
    'a search near a place': [
      { tools: [search({ user_location: { type: 'approximate', city: 'Oslo' } })] },
      { tools: [search()] },
    ],
  },
  responses: {
    max_output_tokens: [{ max_output_tokens: 77 }],
    temperature: [{ temperature: 0.3 }],
    service_tier: [{ service_tier: 'flex' }],
    metadata: [{ metadata: { a: 'b' } }],
    verbosity: [{ text: { verbosity: 'low' } }],
    effort: [{ reasoning: { effort: 'low' } }],
    schema: [{ text: { format: { type: 'json_schema', name: 'x', schema } } }],
    truncation: [{ truncation: 'auto' }],
    'a search without the web': [
      { tools: [{ type: 'web_search', external_web_access: false }] },
      { tools: [{ type: 'web_search' }] },
    ],
    'a grammar': [
      {
        tools: [
          { type: 'custom', name: 'c', format: { type: 'grammar', syntax: 'regex', definition: 'a+' } },
        ],
      },
      { tools: [{ type: 'custom', name: 'c' }] },
    ],
  },
  generate: {
    topK: [{ generationConfig: { topK: 3 } }],
    candidateCount: [{ generationConfig: { candidateCount: 2 } }],
    thinkingBudget: [{ generationConfig: { thinkingConfig: { thinkingBudget: 2000 } } }],
    responseSchema: [
      { generationConfig: { responseMimeType: 'application/json', responseSchema: { type: 'OBJECT' } } },
    ],
    safetySettings: [{ safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT' }] }],
    mediaResolution: [{ generationConfig: { mediaResolution: 'MEDIA_RESOLUTION_LOW' } }],
    responseModalities: [{ generationConfig: { responseModalities: ['TEXT', 'IMAGE'] } }],
    mode: [
      {
        tools: [{ functionDeclarations: [{ name: 'f' }] }],
        toolConfig: { functionCallingConfig: { mode: 'ANY' } },
      },
      { tools: [{ functionDeclarations: [{ name: 'f' }] }] },
    ],
  },
}

/** Known losses, each with its reason. */
const exceptions: ReadonlySet<string> = new Set([
  // The vendor decides the resolution at which it reads an image.
  'mistral chat an image in detail',
])

const plain: Readonly<Record<ConversationOperation, object>> = {
  chat: said('hi'),
  messages: { ...said('hi'), max_tokens: 3000 },
  responses: { input: 'hi' },
  generate: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
}

const served = providers.flatMap((provider) =>
  CALLERS.flatMap(([asked]) => {
    const model = Object.keys(provider.endpoints).length === 0 ? undefined : modelFor(provider, asked)
    return model === undefined ? [] : [{ id: provider.id, provider, asked, model }]
  }),
)

it.each(served)(
  '$id silently loses nothing of requests from $asked clients',
  ({ id, provider, asked, model }) => {
    const lost = Object.entries(cases[asked]).filter(([name, [wanted, otherwise = {}]]) => {
      const without = sent(provider, { asked, model, body: otherwise })
      const withIt = sent(provider, { asked, model, body: wanted })
      if (without === undefined || withIt === undefined) return false
      const isNamed = withIt.dropped.length > without.dropped.length
      return withIt.body === without.body && !isNamed && !exceptions.has(`${id} ${asked} ${name}`)
    })
    expect(lost.map(([name]) => name)).toEqual([])
  },
)

interface Sending {
  readonly asked: ConversationOperation
  readonly model: string
  readonly body: object
}

/** `undefined`: the request was refused. */
function sent(provider: Provider, { asked, model, body }: Sending) {
  const bytes = Buffer.from(JSON.stringify({ model, ...plain[asked], ...body }))
  try {
    const prepared = prepareAttempt({
      provider,
      upstream: {
        channelId: 1,
        type: provider.type,
        baseUrl: 'https://vendor.test',
        key: 'sk-k',
        other: '',
        organization: '',
        createdTime: 1,
        settings: defaultChannelSettings,
        ...recordAt(expectedOf(provider.id), 'upstream'),
      },
      operation: asked,
      ask: readAsk(asked, bytes, { isStream: false, pathModel: model }),
      model,
      isStream: false,
      query: new URLSearchParams(),
    })
    return { body: prepared.body.toString(), dropped: prepared.dropped }
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

function modelFor(provider: Provider, asked: ConversationOperation): string | undefined {
  const calls = Object.values(recordAt(expectedOf(provider.id), 'calls') ?? {})
  const asks = calls.flatMap((call) =>
    isRecord(call) ? (textAt(recordAt(call, 'ask') ?? {}, 'model') ?? []) : [],
  )
  return [...asks, ...provider.models, 'm'].find(
    (model) => resolveEndpoint(provider, asked, model) !== undefined,
  )
}

function expectedOf(id: string): Record<string, unknown> {
  const path = `${FIXTURES}${id}/expected.json`
  const value: unknown = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  return isRecord(value) ? value : {}
}
