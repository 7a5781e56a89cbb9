import { invariant } from '@tollgate/kit/invariant'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from './relay-harness.ts'
import { openScriptedUpstream, type ReceivedRequest, sendJson, type ScriptedUpstream } from './upstream.ts'

/**
 * A tool has another name at an upstream that refuses the caller's: shortened with a hash, or joined with its
 * namespace. What the upstream says of it reaches the caller under the caller's name.
 */

let harness: RelayHarness
let upstream: ScriptedUpstream
let bearer: string

beforeEach(async () => {
  harness = await openRelayHarness()
  upstream = await openScriptedUpstream()
  ;({ bearer } = await harness.addCaller())
  await harness.setOption('ModelRatio', JSON.stringify({ told: 1 }))
})
afterEach(async () => {
  await harness.close()
  await upstream.close()
})

const LONG = `look_up_${'the_weather_'.repeat(9)}`
const DOTTED = 'crm.contacts:search/v2'
const schema = { type: 'object', properties: { q: { type: 'string' } } }

interface ToolCaller {
  readonly path: string
  readonly body: object
  /** The name under which the caller knows its tool. */
  readonly name: string
}

const gemini = (name: string, verb: string): ToolCaller => ({
  path: `/v1beta/models/told:${verb}`,
  name,
  body: {
    contents: [{ role: 'user', parts: [{ text: 'x' }] }],
    tools: [{ functionDeclarations: [{ name, parameters: schema }] }],
  },
})
const chat = (name: string): ToolCaller => ({
  path: '/v1/chat/completions',
  name,
  body: {
    messages: [{ role: 'user', content: 'x' }],
    tools: [{ type: 'function', function: { name, parameters: schema } }],
  },
})
const messages = (name: string): ToolCaller => ({
  path: '/v1/messages',
  name,
  body: {
    max_tokens: 9,
    messages: [{ role: 'user', content: 'x' }],
    tools: [{ name, input_schema: schema }],
  },
})
const responses = (name: string, namespace?: string): ToolCaller => {
  const tool = { type: 'function', name, parameters: schema }
  return {
    path: '/v1/responses',
    name: namespace === undefined ? name : `${namespace}.${name}`,
    body: {
      input: 'x',
      tools: namespace === undefined ? [tool] : [{ type: 'namespace', name: namespace, tools: [tool] }],
    },
  }
}

const OPENAI = 1
const ANTHROPIC = 14
const GEMINI = 24

const cases: readonly (readonly [string, number, ToolCaller])[] = [
  ['a dotted tool of Gemini at OpenAI', OPENAI, gemini(DOTTED, 'generateContent')],
  ['a long tool of Gemini at Anthropic', ANTHROPIC, gemini(LONG, 'generateContent')],
  ['a long tool of Messages at OpenAI', OPENAI, messages(LONG)],
  ['a long tool of Messages at Gemini', GEMINI, messages(LONG)],
  ['a dotted tool of chat at Anthropic', ANTHROPIC, chat(DOTTED)],
  ['a dotted tool of chat at Gemini', GEMINI, chat(DOTTED)],
  ['a long tool of Responses at Anthropic', ANTHROPIC, responses(LONG)],
  ['a tool in a namespace of Responses at Gemini', GEMINI, responses('search', 'crm')],
]

/** The only tool's name in a request to any of the upstreams. */
function findSentName({ body }: ReceivedRequest): string {
  const name = /"(?:tools|functionDeclarations|function_declarations)":\[.*?"name":"([^"]+)"/.exec(
    JSON.stringify(body),
  )?.[1]
  invariant(name, 'the upstream was given the tool')
  return name
}

/** Of the upstream's own dialect, with the name in the words, in a member and in the details. */
function errorOf(type: number, name: string): object {
  const message = `Invalid schema for function '${name}': ${name} is not allowed`
  if (type === ANTHROPIC) return { type: 'error', error: { type: 'invalid_request_error', message } }
  if (type === GEMINI) return { error: { code: 400, message, status: 'INVALID_ARGUMENT' } }
  return { error: { message, type: 'invalid_request_error', param: `tools.${name}`, code: 'invalid_tool' } }
}

function sendTo({ path, body }: ToolCaller, stream: boolean) {
  const isGemini = path.startsWith('/v1beta')
  const address = stream ? path.replace('generateContent', 'streamGenerateContent?alt=sse') : path
  return harness.send({ path: address, bearer, body: isGemini ? body : { model: 'told', stream, ...body } })
}

describe.each(cases)('%s', (_title, type, caller) => {
  test.each([false, true])('has its own name in an error (stream: %s)', async (stream) => {
    let sent = ''
    upstream.respond = (response, request) => {
      sent = findSentName(request)
      sendJson(response, 400, errorOf(type, sent))
    }
    await harness.addChannel(upstream.url, { type, models: 'told' })
    const { status, text } = await sendTo(caller, stream)
    expect(status).toBe(400)
    expect(sent).not.toBe(caller.name)
    expect(text).toContain(`'${caller.name}': ${caller.name} is not allowed`)
    expect(text).not.toContain(sent)
  })

  test.each([false, true])('has it in an error inside an answer (stream: %s)', async (stream) => {
    let sent = ''
    upstream.respond = (response, request) => {
      sent = findSentName(request)
      const error = errorOf(type, sent)
      if (!stream) return sendJson(response, 200, error)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(`event: error\ndata: ${JSON.stringify(error)}\n\n`)
    }
    await harness.addChannel(upstream.url, { type, models: 'told' })
    const { text } = await sendTo(caller, stream)
    expect(text).toContain(`'${caller.name}': ${caller.name} is not allowed`)
    expect(text).not.toContain(sent)
  })
})

test('a tool that keeps its name is left as the upstream wrote it', async () => {
  const kept = chat('search')
  upstream.respond = (response) => sendJson(response, 400, errorOf(OPENAI, 'search_of_another'))
  await harness.addChannel(upstream.url, { type: OPENAI, models: 'told' })
  expect((await sendTo(kept, false)).text).toContain('search_of_another')
})
