import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openRelayHarness, type RelayHarness } from '../relay/relay-harness.ts'
import {
  answerWith,
  openScriptedUpstream,
  sendJson,
  type ReceivedRequest,
  type Responder,
  type ScriptedUpstream,
} from '../relay/upstream.ts'

/**
 * GPT-5 and GPT-6 behind servers that are not OpenAI's: which role instructions have, and what refusals of a
 * role teach.
 */

const MODELS = ['gpt-5.2-x', 'o3', 'gpt-6']

let harness: RelayHarness
let server: ScriptedUpstream
let bearer: string

beforeAll(async () => {
  harness = await openRelayHarness()
  await harness.setOption(
    'ModelRatio',
    JSON.stringify(Object.fromEntries([...MODELS, 'refuses-two', 'refuses-three'].map((name) => [name, 1]))),
  )
  ;({ bearer } = await harness.addCaller())
})
afterAll(() => harness.close())

beforeEach(async () => {
  server = await openScriptedUpstream()
  await harness.db.updateTable('channels').set({ status: 2 }).execute()
  await harness.addChannel(server.url, { type: 1, models: MODELS.join(',') })
})
afterEach(async () => {
  await harness.quiet()
  expect(await harness.openHolds()).toBe(0)
  await server.close()
})

function rolesIn({ body }: ReceivedRequest): unknown[] {
  const { messages } = body
  return Array.isArray(messages) ? messages.map((message: { role: unknown }) => message.role) : []
}

interface RoleRefusal {
  readonly role: string
  readonly code: string
}

/** A chat server without /v1/responses, which refuses a role in the words of OpenAI and Azure. */
function chatServer({ role, code }: RoleRefusal): Responder {
  return (response, request) => {
    if (request.path !== '/v1/chat/completions')
      return sendJson(response, 404, {
        error: { message: 'Invalid URL (POST /v1/responses)', type: 'invalid_request_error' },
      })
    const index = rolesIn(request).indexOf(role)
    if (index < 0) return answerWith()(response, request)
    const message = `Invalid value: '${role}'. Supported values are: 'system', 'assistant', 'user', and 'tool'.`
    return sendJson(response, 400, {
      error: { message, type: 'invalid_request_error', param: `messages[${index}].role`, code },
    })
  }
}

function chat(model: string, role: string, members: object = {}) {
  const messages = [
    { role, content: 'be brief' },
    { role: 'user', content: 'hi' },
  ]
  return harness.send({ bearer, body: { model, messages, ...members } })
}

const codes = ['invalid_value', 'unsupported_value']

describe.each(codes)('a server that refuses the role developer with %s', (code) => {
  test.each(MODELS)('receives instructions for %s as system in the first request', async (model) => {
    server.respond = chatServer({ role: 'developer', code })
    for (const role of ['system', 'developer']) expect((await chat(model, role)).status).toBe(200)
    expect(server.received.map(rolesIn)).toEqual([
      ['system', 'user'],
      ['system', 'user'],
    ])
  })

  test.each(MODELS)('serves Codex with %s, although it has no Responses endpoint', async (model) => {
    server.respond = chatServer({ role: 'developer', code })
    const input = [
      {
        type: 'message',
        role: 'developer',
        content: [{ type: 'input_text', text: 'the sandbox is read-only' }],
      },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
    ]
    const body = { model, instructions: 'You are Codex.', input, stream: true, store: false }
    for (const requests of [2, 3]) {
      const answer = await harness.send({ bearer, path: '/v1/responses', body })
      expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('response.completed')])
      expect(server.received).toHaveLength(requests)
      await harness.quiet()
    }
    for (const request of server.received.slice(1)) expect(rolesIn(request)).not.toContain('developer')
  })
})

describe.each(codes)('a relay that refuses the role system with %s', (code) => {
  test('teaches the role developer, which later calls use at once', async () => {
    server.respond = chatServer({ role: 'system', code })
    expect((await chat('gpt-6', 'system')).status).toBe(200)
    await harness.quiet()
    expect((await chat('gpt-6', 'system')).status).toBe(200)
    expect(server.received.map((request) => rolesIn(request)[0])).toEqual([
      'system',
      'developer',
      'developer',
    ])
  })

  test('teaches the role system back when it is renewed', async () => {
    server.respond = chatServer({ role: 'system', code })
    expect((await chat('gpt-6', 'system')).status).toBe(200)
    await harness.quiet()
    server.respond = chatServer({ role: 'developer', code })
    expect((await chat('gpt-6', 'system')).status).toBe(200)
    await harness.quiet()
    expect((await chat('gpt-6', 'system')).status).toBe(200)
    expect(server.received.map((request) => rolesIn(request)[0])).toEqual([
      'system',
      'developer',
      'developer',
      'system',
      'system',
    ])
  })
})

function refuseMembers(...members: readonly string[]): Responder {
  return (response, request) => {
    const member = members.find((name) => request.body[name] !== undefined)
    if (member === undefined) return answerWith()(response, request)
    const message = `Unsupported parameter: '${member}' is not supported with this model.`
    return sendJson(response, 400, {
      error: { message, type: 'invalid_request_error', param: member, code: 'unsupported_parameter' },
    })
  }
}

describe('a server that refuses several members, one after the other', () => {
  test('is asked three times at most, and what both refusals taught is kept', async () => {
    server.respond = refuseMembers('temperature', 'top_p')
    const sampling = { temperature: 0.5, top_p: 0.5 }
    await harness.addChannel(server.url, { type: 1, models: 'refuses-two' })
    expect((await chat('refuses-two', 'system', sampling)).status).toBe(200)
    expect(server.received).toHaveLength(3)
    await harness.quiet()
    expect((await chat('refuses-two', 'system', sampling)).status).toBe(200)
    expect(server.received).toHaveLength(4)
  })

  test('answers with its first refusal when it refuses a third one, and nothing is kept', async () => {
    server.respond = refuseMembers('temperature', 'top_p', 'presence_penalty')
    await harness.addChannel(server.url, { type: 1, models: 'refuses-three' })
    const members = { temperature: 0.5, top_p: 0.5, presence_penalty: 1 }
    for (const requests of [3, 6]) {
      const answer = await chat('refuses-three', 'system', members)
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining('temperature')])
      expect(server.received).toHaveLength(requests)
      await harness.quiet()
    }
  })
})
