import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openClientGateway, type ClientGateway } from './gateway.ts'
import { stringsOnly, systemFirst } from './picky-server.ts'
import type { ScriptedUpstream } from '../relay/upstream.ts'

/** Agents calling servers that accept less than OpenAI does. */

let gateway: ClientGateway
let strings: ScriptedUpstream
let template: ScriptedUpstream

beforeAll(async () => {
  gateway = await openClientGateway()
  strings = await gateway.addVendor({ type: 1, models: 'deepseek-chat', respond: stringsOnly })
  template = await gateway.addVendor({ type: 1, models: 'qwen-turbo', respond: systemFirst })
})
afterAll(() => gateway.close())

const text = (words: string) => ({ type: 'text', text: words })

/** A request as Claude Code sends it: lists of texts everywhere, and a system message in the middle. */
const claudeCode = (model: string) => ({
  model,
  max_tokens: 100,
  system: [text('You are an agent.'), text('Be brief.')],
  messages: [
    { role: 'user', content: [text('one'), text('two')] },
    { role: 'assistant', content: [text('yes'), text('and')] },
    { role: 'user', content: 'go on' },
    { role: 'system', content: 'A file has changed.' },
  ],
})

describe('an agent that uses Messages', () => {
  test('a server that accepts only string content serves the agent', async () => {
    const { status } = await gateway.send({
      path: '/v1/messages',
      bearer: gateway.key,
      body: claudeCode('deepseek-chat'),
    })
    expect(status).toBe(200)
    expect(strings.received.at(-1)?.body['messages']).toEqual([
      { role: 'system', content: 'You are an agent.\n\nBe brief.' },
      { role: 'user', content: 'one\n\ntwo' },
      { role: 'assistant', content: 'yes\n\nand' },
      { role: 'user', content: 'go on' },
      { role: 'user', content: '<system-reminder>\nA file has changed.\n</system-reminder>' },
    ])
  })

  test('a server that accepts system messages only at the beginning serves the agent', async () => {
    const { status } = await gateway.send({
      path: '/v1/messages',
      bearer: gateway.key,
      body: claudeCode('qwen-turbo'),
    })
    expect(status).toBe(200)
    expect(template.received).toHaveLength(1)
  })
})

test('a Gemini caller is served by a server that accepts only string content', async () => {
  const { status } = await gateway.send({
    path: '/v1beta/models/deepseek-chat:generateContent',
    bearer: gateway.key,
    body: {
      systemInstruction: { parts: [{ text: 'You are an agent.' }, { text: 'Be brief.' }] },
      contents: [{ role: 'user', parts: [{ text: 'one' }, { text: 'two' }] }],
    },
  })
  expect(status).toBe(200)
})
