import { describe, expect, it } from 'vitest'
import { FrameReader } from '../canonical/frames.ts'
import { conversations, type ConversationOperation } from '../conversations.ts'
import { isRecord, parseObject, recordAt, recordsAt, textAt, type JsonObject } from '../json.ts'
import { openTap } from './open-tap.ts'
import type { PairRules } from './pair.ts'
import { readWhole, readWholeAsStream } from './read-whole.ts'

/** A search that a vendor ran reaches callers of every dialect, with its pages and its count. */

const DIALECTS = ['chat', 'messages', 'responses', 'generate'] as const
const URL_A = 'https://a.test/1'
const PAGE = { url: URL_A, title: 'Page A' }
const SAID = 'It is 12 °C 🌤 today.'

function rulesOf(asked: ConversationOperation, endpoint: ConversationOperation): PairRules {
  const context = { model: 'm', fallbackId: '1', nowSeconds: 1, inputTokensCounted: 7, wantsUsage: true }
  const { readUsage } = conversations[endpoint].upstream
  return { asked, caller: conversations[asked].caller, endpoint, readUsage, context }
}

const webCall = (more: JsonObject = {}): JsonObject => ({
  id: 'ws_1',
  type: 'web_search_call',
  status: 'completed',
  action: { type: 'search', query: 'weather', sources: [{ type: 'url', url: URL_A }] },
  ...more,
})

const cited = { type: 'url_citation', ...PAGE, start_index: 0, end_index: SAID.length }

const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: SAID, annotations: [cited] }],
}

const response = (output: readonly JsonObject[]): JsonObject => ({
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  model: 'gpt-5.2',
  output,
  usage: { input_tokens: 5, output_tokens: 6, total_tokens: 11 },
})

const claudeBlocks: readonly JsonObject[] = [
  { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'weather' } },
  {
    type: 'web_search_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: [{ type: 'web_search_result', ...PAGE, encrypted_content: 'EqgfCioIARgB', page_age: null }],
  },
  {
    type: 'text',
    text: SAID,
    citations: [
      { type: 'web_search_result_location', ...PAGE, encrypted_index: 'Eo8BCioI', cited_text: '12 °C' },
    ],
  },
]

const claudeUsage = { input_tokens: 5, output_tokens: 6, server_tool_use: { web_search_requests: 1 } }

const claude = (content: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-5',
  content,
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: claudeUsage,
  ...more,
})

const grounding = (queries: readonly string[] = ['weather']): JsonObject => ({
  webSearchQueries: queries,
  groundingChunks: [{ web: { uri: URL_A, title: 'Page A' } }],
  groundingSupports: [
    {
      // Bytes: the degree sign has two, the sun four.
      segment: { startIndex: 6, endIndex: Buffer.byteLength(SAID) - 7, text: '12 °C 🌤' },
      groundingChunkIndices: [0],
    },
  ],
})

const gemini = (groundingMetadata: JsonObject, modelVersion = 'gemini-3-flash'): JsonObject => ({
  responseId: 'r1',
  modelVersion,
  candidates: [
    { content: { role: 'model', parts: [{ text: SAID }] }, finishReason: 'STOP', groundingMetadata },
  ],
  usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 6, totalTokenCount: 11 },
})

const chatUsage = {
  prompt_tokens: 5,
  completion_tokens: 6,
  total_tokens: 11,
  server_tool_use: { web_search_requests: 1 },
}

const chat: JsonObject = {
  id: 'c1',
  object: 'chat.completion',
  model: 'gpt-5-search',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: SAID,
        annotations: [
          { type: 'url_citation', url_citation: { ...PAGE, start_index: 0, end_index: SAID.length } },
        ],
      },
      finish_reason: 'stop',
    },
  ],
  usage: chatUsage,
}

const answers = {
  chat,
  messages: claude(claudeBlocks),
  responses: response([webCall(), message]),
  generate: gemini(grounding()),
} as const

/** The frames with which an upstream streams its answer. */
function streamed(endpoint: ConversationOperation, answer: JsonObject): Buffer {
  const events = streams[endpoint](answer).map((event) => {
    const name = textAt(event, 'type')
    return `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(event)}\n\n`
  })
  return Buffer.from(events.join('') + (endpoint === 'chat' ? 'data: [DONE]\n\n' : ''))
}

const streams: Readonly<Record<ConversationOperation, (answer: JsonObject) => readonly JsonObject[]>> = {
  chat: (answer) => {
    const { id, model, usage } = answer
    const head = { id, object: 'chat.completion.chunk', model }
    const said = recordAt(recordsAt(answer, 'choices')[0] ?? {}, 'message') ?? {}
    const { content, annotations } = said
    return [
      { ...head, choices: [{ index: 0, delta: { role: 'assistant', content } }] },
      { ...head, choices: [{ index: 0, delta: { annotations } }] },
      { ...head, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
      { ...head, choices: [], usage },
    ]
  },
  messages: (answer) => [
    {
      type: 'message_start',
      message: { ...answer, content: [], usage: { input_tokens: 5, output_tokens: 1 } },
    },
    ...recordsAt(answer, 'content').flatMap(blockEvents),
    { type: 'message_delta', delta: { stop_reason: answer['stop_reason'] }, usage: answer['usage'] },
    { type: 'message_stop' },
  ],
  responses: (answer) => [
    { type: 'response.created', sequence_number: 0, response: { ...answer, output: [], usage: null } },
    ...recordsAt(answer, 'output').flatMap(itemEvents),
    { type: 'response.completed', response: answer },
  ],
  generate: (answer) => {
    const [candidate = {}] = recordsAt(answer, 'candidates')
    const { candidates: _all, usageMetadata, ...head } = answer
    const { groundingMetadata, finishReason, content } = candidate
    const said = String(recordsAt(isRecord(content) ? content : {}, 'parts')[0]?.['text'])
    return [
      { ...head, candidates: [{ content: parts(said.slice(0, 9)) }] },
      { ...head, candidates: [{ content: parts(said.slice(9)) }] },
      { ...head, usageMetadata, candidates: [{ content: parts(''), finishReason, groundingMetadata }] },
    ]
  },
}

function parts(text: string): JsonObject {
  return { role: 'model', parts: [{ text }] }
}

function blockEvents(block: JsonObject, index: number): JsonObject[] {
  const { input, text, citations, ...rest } = block
  const delta = (each: JsonObject) => ({ type: 'content_block_delta', index, delta: each })
  const start = {
    ...rest,
    ...(input !== undefined && { input: {} }),
    ...(text !== undefined && { text: '' }),
  }
  const json = JSON.stringify(input ?? {})
  return [
    { type: 'content_block_start', index, content_block: start },
    ...(input === undefined
      ? []
      : [json.slice(0, 5), json.slice(5)].map((part) =>
          delta({ type: 'input_json_delta', partial_json: part }),
        )),
    ...(text === undefined ? [] : [delta({ type: 'text_delta', text })]),
    ...(Array.isArray(citations)
      ? citations.map((citation: unknown) => delta({ type: 'citations_delta', citation }))
      : []),
    { type: 'content_block_stop', index },
  ]
}

function itemEvents(item: JsonObject, output_index: number): JsonObject[] {
  const at = { output_index, item_id: item['id'] }
  const done = { type: 'response.output_item.done', output_index, item }
  if (item['type'] !== 'message')
    return [
      { type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress' } },
      { type: 'response.web_search_call.completed', ...at },
      done,
    ]
  return [
    { type: 'response.output_item.added', output_index, item: { ...item, content: [] } },
    { type: 'response.output_text.delta', ...at, content_index: 0, delta: SAID },
    { type: 'response.output_text.annotation.added', ...at, content_index: 0, annotation: cited },
    done,
  ]
}

interface SeenSearch {
  readonly count: number
  readonly queries: readonly string[]
  readonly pages: readonly unknown[]
  readonly cited: readonly unknown[]
}

/** What a client of each dialect reads of the searches in an answer. */
const seen: Readonly<Record<ConversationOperation, (answer: JsonObject) => SeenSearch>> = {
  chat: (answer) => {
    const said = recordAt(recordsAt(answer, 'choices')[0] ?? {}, 'message') ?? {}
    const pages = recordsAt(said, 'annotations').map((each) => recordAt(each, 'url_citation')?.['url'])
    return { count: requestsIn(answer), queries: [], pages, cited: pages }
  },
  messages: (answer) => {
    const blocks = recordsAt(answer, 'content')
    const calls = blocks.filter(({ type }) => type === 'server_tool_use')
    const results = blocks.filter(({ type }) => type === 'web_search_tool_result')
    expect(results.map((each) => each['tool_use_id'])).toEqual(calls.map(({ id }) => id))
    return {
      count: requestsIn(answer),
      queries: calls.map(({ input }) => String(isRecord(input) ? input['query'] : input)),
      pages: results.flatMap((each) => recordsAt(each, 'content').map(({ url }) => url)),
      cited: blocks.flatMap((each) => recordsAt(each, 'citations').map(({ url }) => url)),
    }
  },
  responses: (answer) => {
    const items = recordsAt(answer, 'output')
    const actions = items.flatMap(({ type, action }) =>
      type === 'web_search_call' && isRecord(action) ? [action] : [],
    )
    return {
      count: actions.length,
      queries: actions.map(({ query }) => String(query)),
      pages: actions.flatMap((action) => recordsAt(action, 'sources').map(({ url }) => url)),
      cited: items
        .flatMap((item) => recordsAt(item, 'content'))
        .flatMap((part) => recordsAt(part, 'annotations').map(({ url }) => url)),
    }
  },
  generate: (answer) => {
    const grounds = recordAt(recordsAt(answer, 'candidates')[0] ?? {}, 'groundingMetadata') ?? {}
    const queries = Array.isArray(grounds['webSearchQueries']) ? grounds['webSearchQueries'].map(String) : []
    const pages = recordsAt(grounds, 'groundingChunks').map((chunk) => recordAt(chunk, 'web')?.['uri'])
    return { count: queries.length, queries, pages, cited: pages }
  },
}

function requestsIn(answer: JsonObject): number {
  return Number(recordAt(recordAt(answer, 'usage') ?? {}, 'server_tool_use')?.['web_search_requests'] ?? 0)
}

/** Puts the events of a stream together as a client of each dialect does. */
function assembled(asked: ConversationOperation, bytes: Buffer): JsonObject {
  const frames = new FrameReader()
  const events = [...frames.push(bytes), ...frames.end()].flatMap(({ data }): JsonObject[] => {
    const event = parseObject(data)
    return event === undefined ? [] : [event]
  })
  return assemblers[asked](events)
}

const assemblers: Readonly<Record<ConversationOperation, (events: readonly JsonObject[]) => JsonObject>> = {
  chat: (events) => {
    const deltas = events.flatMap((event) =>
      recordsAt(event, 'choices').map((each) => recordAt(each, 'delta')),
    )
    const annotations = deltas.flatMap((delta) => recordsAt(delta ?? {}, 'annotations'))
    return {
      choices: [{ message: { annotations } }],
      usage: events.find(({ usage }) => isRecord(usage))?.['usage'],
    }
  },
  messages: (events) => {
    const blocks: Record<string, unknown>[] = []
    for (const event of events) {
      const block = recordAt(event, 'content_block')
      const delta = recordAt(event, 'delta') ?? {}
      const last = blocks.at(-1)
      if (block !== undefined) blocks.push({ ...block })
      else if (last === undefined) continue
      else if (delta['type'] === 'citations_delta')
        last['citations'] = [...recordsAt(last, 'citations'), delta['citation']]
      else if (delta['type'] === 'input_json_delta')
        last['input'] = parseObject(String(delta['partial_json']))
    }
    return { content: blocks, usage: events.find(({ type }) => type === 'message_delta')?.['usage'] }
  },
  responses: (events) => {
    const done = events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item)
    const end = events.find(({ type }) => type === 'response.completed')
    const whole = recordAt(end ?? {}, 'response') ?? {}
    expect(whole['output']).toEqual(done)
    return whole
  },
  generate: (events) => {
    const candidates = events.flatMap((event) => recordsAt(event, 'candidates'))
    return { candidates: [candidates.find((each) => each['groundingMetadata'] !== undefined) ?? {}] }
  },
}

interface Heard extends SeenSearch {
  readonly charged: unknown
}

function wholeOf(asked: ConversationOperation, endpoint: ConversationOperation, answer: JsonObject): Heard {
  const { bytes, reading } = readWhole(Buffer.from(JSON.stringify(answer)), rulesOf(asked, endpoint))
  expect(reading.error).toBeUndefined()
  return { ...seen[asked](parseObject(bytes) ?? {}), charged: reading.usage?.toolCalls }
}

function streamOf(asked: ConversationOperation, endpoint: ConversationOperation, answer: JsonObject): Heard {
  const tap = openTap(rulesOf(asked, endpoint))
  const bytes = Buffer.concat([...tap.push(streamed(endpoint, answer)), ...tap.end()])
  expect(tap.reading).toMatchObject({ error: undefined, isComplete: true, hasOutput: true })
  return { ...seen[asked](assembled(asked, bytes)), charged: tap.reading.usage?.toolCalls }
}

function collectedOf(
  asked: ConversationOperation,
  endpoint: ConversationOperation,
  answer: JsonObject,
): Heard {
  const rules = { ...rulesOf(asked, endpoint), isCollected: true }
  const { bytes, reading } = readWhole(streamed(endpoint, answer), rules)
  return { ...seen[asked](parseObject(bytes) ?? {}), charged: reading.usage?.toolCalls }
}

function replayedOf(
  asked: ConversationOperation,
  endpoint: ConversationOperation,
  answer: JsonObject,
): Heard {
  const { bytes, reading } = readWholeAsStream(Buffer.from(JSON.stringify(answer)), rulesOf(asked, endpoint))
  return { ...seen[asked](assembled(asked, bytes)), charged: reading.usage?.toolCalls }
}

const ways = { whole: wholeOf, streamed: streamOf, collected: collectedOf, replayed: replayedOf } as const
type Way = keyof typeof ways
const WAYS: readonly Way[] = ['whole', 'streamed', 'collected', 'replayed']

const charges = {
  chat: { web_search: 1 },
  messages: { web_search: 1 },
  responses: { web_search: 1 },
  generate: { google_search: 1 },
} as const

describe.each(DIALECTS.flatMap((asked) => DIALECTS.map((endpoint) => ({ asked, endpoint }))))(
  'a search of $endpoint for a caller of $asked',
  ({ asked, endpoint }) => {
    const isConverted = asked !== endpoint
    it.each(WAYS.filter((way) => isConverted || way === 'collected'))('arrives with its pages: %s', (way) => {
      const heard = ways[way](asked, endpoint, answers[endpoint])
      // Neither chat completions nor what they are converted from tell a query.
      const hasQuery = asked !== 'chat' && endpoint !== 'chat'
      const count = asked === 'generate' && endpoint === 'chat' ? 0 : 1
      expect(heard).toMatchObject({ count, pages: [URL_A], cited: [URL_A], charged: charges[endpoint] })
      if (hasQuery) expect(heard.queries).toEqual(['weather'])
    })
  },
)

describe('a search whose pages are named only as citations', () => {
  const answer = response([webCall({ action: { type: 'search', query: 'weather' } }), message])
  it.each(WAYS)('has them as its result for a caller of Messages: %s', (way) => {
    expect(ways[way]('messages', 'responses', answer)).toMatchObject({ count: 1, pages: [URL_A] })
  })
})

describe('several queries of Gemini', () => {
  const queries = ['weather', 'forecast', 'rain']
  it.each(WAYS)('are as many searches as Google charges for: %s', (way) => {
    const later = ways[way]('messages', 'generate', gemini(grounding(queries)))
    expect(later).toMatchObject({ count: 3, queries, pages: [URL_A], charged: { google_search: 3 } })
    const earlier = ways[way]('messages', 'generate', gemini(grounding(queries), 'gemini-2.5-flash'))
    expect(earlier).toMatchObject({ count: 1, queries: [queries.join('; ')], charged: { google_search: 1 } })
    expect(ways[way]('responses', 'generate', gemini(grounding(queries)))).toMatchObject({
      count: 3,
      queries,
    })
  })
})

describe('several searches of one answer', () => {
  const second = webCall({ id: 'ws_2', action: { type: 'search', queries: ['rain', 'snow'] } })
  const opened = webCall({ id: 'ws_3', action: { type: 'open_page', url: URL_A } })
  it.each(WAYS)('stay apart, and pages that were only opened are none: %s', (way) => {
    const heard = ways[way]('messages', 'responses', response([webCall(), second, opened, message]))
    expect(heard).toMatchObject({ queries: ['weather', 'rain; snow'], pages: [URL_A] })
    const forGemini = ways[way]('generate', 'responses', response([webCall(), second, message]))
    expect(forGemini).toMatchObject({ queries: ['weather', 'rain', 'snow'], pages: [URL_A] })
  })
})

describe('a search that failed', () => {
  it.each(WAYS)('arrives as such, and is counted nowhere: %s', (way) => {
    const failed = response([
      webCall({ status: 'failed', action: { type: 'search', query: 'weather' } }),
      message,
    ])
    expect(ways[way]('messages', 'responses', failed)).toMatchObject({
      count: 0,
      pages: [],
      queries: ['weather'],
    })
    const error = { type: 'web_search_tool_result_error', error_code: 'max_uses_exceeded' }
    const [call = {}, result = {}, text = {}] = claudeBlocks
    const answer = claude([call, { ...result, content: error }, text], {
      usage: { input_tokens: 5, output_tokens: 6 },
    })
    const { bytes } = readWhole(Buffer.from(JSON.stringify(answer)), rulesOf('responses', 'messages'))
    expect(recordsAt(parseObject(bytes) ?? {}, 'output')[0]).toMatchObject({ status: 'failed' })
  })
})

describe('a turn that pauses during a search', () => {
  it.each(WAYS)('tells of the search without a result: %s', (way) => {
    const [call = {}] = claudeBlocks
    const answer = claude([call], { stop_reason: 'pause_turn' })
    expect(ways[way]('responses', 'messages', answer)).toMatchObject({ queries: ['weather'], pages: [] })
  })
})

describe("another call that Anthropic's own tools make", () => {
  const call = { type: 'server_tool_use', id: 'srvtoolu_9', name: 'web_fetch', input: { url: URL_A } }
  it('keeps its input when a stream is collected', () => {
    const rules = { ...rulesOf('messages', 'messages'), isCollected: true }
    const { bytes } = readWhole(streamed('messages', claude([call, ...claudeBlocks])), rules)
    expect(parseObject(bytes)?.['content']).toEqual([call, ...claudeBlocks])
  })
})

describe('a place in a text', () => {
  it.each(['whole', 'streamed'] as const)('is counted in bytes by Gemini alone: %s', (way) => {
    const stream = openTap(rulesOf('chat', 'generate'))
    const bytes =
      way === 'whole'
        ? readWhole(Buffer.from(JSON.stringify(answers.generate)), rulesOf('chat', 'generate')).bytes
        : Buffer.concat([...stream.push(streamed('generate', answers.generate)), ...stream.end()])
    const answer = way === 'whole' ? (parseObject(bytes) ?? {}) : assembled('chat', bytes)
    const said = recordAt(recordsAt(answer, 'choices')[0] ?? {}, 'message') ?? {}
    const { start_index, end_index } = recordAt(recordsAt(said, 'annotations')[0] ?? {}, 'url_citation') ?? {}
    expect(SAID.slice(Number(start_index), Number(end_index))).toBe('12 °C 🌤')
  })

  it('is written in bytes for a caller of Gemini', () => {
    const bytes = readWhole(
      Buffer.from(JSON.stringify(answers.responses)),
      rulesOf('generate', 'responses'),
    ).bytes
    const grounds = recordAt(recordsAt(parseObject(bytes) ?? {}, 'candidates')[0] ?? {}, 'groundingMetadata')
    expect(recordsAt(grounds ?? {}, 'groundingSupports')).toEqual([
      {
        segment: { startIndex: 0, endIndex: Buffer.byteLength(SAID), text: SAID },
        groundingChunkIndices: [0],
      },
    ])
  })
})
