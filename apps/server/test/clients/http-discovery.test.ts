import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openClientGateway, type ClientGateway } from './gateway.ts'

/** The model list: its pages, its format for each client, and the known facts of each model. */

const MODELS = [
  'claude-haiku-4-5-20251001',
  'claude-opus-4-8',
  'gemini-2.5-pro',
  'gpt-4o',
  'gpt-5.2',
  'my-own-model',
  'text-embedding-3-small',
]

let gateway: ClientGateway

beforeAll(async () => {
  gateway = await openClientGateway()
  await gateway.addVendor({ type: 1, models: MODELS.join(',') })
})
afterAll(() => gateway.close())

const anthropicHeaders = { 'anthropic-version': '2023-06-01' }

async function list(query: string, headers: Record<string, string> = anthropicHeaders) {
  const answer = await gateway.send({
    method: 'GET',
    path: `/v1/models${query}`,
    headers: { authorization: `Bearer ${gateway.key}`, ...headers },
  })
  return answer
}

function idsIn(json: Readonly<Record<string, unknown>>, member = 'data', name = 'id'): unknown[] {
  const entries: unknown = json[member]
  return Array.isArray(entries) ? entries.map((each: Record<string, unknown>) => each[name]) : []
}

describe('the format of the model list', () => {
  test.each([
    ['anthropic-version', anthropicHeaders],
    ['x-api-key', {}],
  ])('the list has the format of Messages when the request has %s', async (name, headers) => {
    const key: Record<string, string> =
      name === 'x-api-key' ? { 'x-api-key': gateway.key, authorization: '' } : {}
    const { json, status } = await list('?limit=1000', { ...headers, ...key })
    expect(status).toBe(200)
    expect(json).toMatchObject({ has_more: false, first_id: MODELS[0], last_id: MODELS.at(-1) })
    expect(idsIn(json)).toEqual(MODELS)
  })

  test('the list has the format of OpenAI for other requests', async () => {
    const { json } = await list('', {})
    expect(json).toMatchObject({
      object: 'list',
      has_more: false,
      first_id: MODELS[0],
      last_id: MODELS.at(-1),
    })
    expect(idsIn(json)).toEqual(MODELS)
  })

  test('the list is returned without a redirect, whatever slashes the path has', async () => {
    for (const path of ['/v1/models/', '//v1//models', '/hf/v1/models', '/v1beta/openai/models']) {
      const answer = await gateway.send({ method: 'GET', path, bearer: gateway.key })
      expect(answer.status, path).toBe(200)
      expect(idsIn(answer.json), path).toEqual(MODELS)
    }
  })
})

describe('pages of the model list', () => {
  test('the official Anthropic client reads all pages', async () => {
    const client = new Anthropic({ apiKey: gateway.key, baseURL: gateway.address, maxRetries: 0 })
    const ids: string[] = []
    for await (const model of client.models.list({ limit: 3 })) ids.push(model.id)
    expect(ids).toEqual(MODELS)
    const first = await client.models.list({ limit: 3 })
    expect(first).toMatchObject({ has_more: true, first_id: MODELS[0], last_id: MODELS[2] })
  })

  test('before_id pages backward from a model', async () => {
    const { json } = await list('?limit=2&before_id=gpt-5.2')
    expect(idsIn(json)).toEqual(['gemini-2.5-pro', 'gpt-4o'])
    expect(json).toMatchObject({ has_more: true })
    const first = await list('?limit=2&before_id=claude-opus-4-8')
    expect(first.json).toMatchObject({ has_more: false, last_id: MODELS[0] })
  })

  test('the page after the last model is empty', async () => {
    const { json } = await list(`?limit=2&after_id=${MODELS.at(-1)}`)
    expect(json).toEqual({ data: [], has_more: false, first_id: null, last_id: null })
  })

  test('the official OpenAI client gets all models in one page', async () => {
    const client = new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.address}/v1`, maxRetries: 0 })
    const ids: string[] = []
    for await (const model of client.models.list()) ids.push(model.id)
    expect(ids).toEqual(MODELS)
    const { json } = await list('?limit=2&after_id=gpt-4o', {})
    expect(idsIn(json)).toEqual(['gpt-5.2', 'my-own-model'])
    expect(json).toMatchObject({ has_more: true })
  })

  test('the official Google client reads all pages', async () => {
    const client = new GoogleGenAI({ apiKey: gateway.key, httpOptions: { baseUrl: gateway.address } })
    const names: unknown[] = []
    for await (const model of await client.models.list({ config: { pageSize: 3 } })) names.push(model.name)
    expect(names).toEqual(MODELS.map((id) => `models/${id}`))
    const { json } = await gateway.send({
      method: 'GET',
      path: `/v1beta/models?pageSize=9999&key=${gateway.key}`,
    })
    expect(idsIn(json, 'models', 'name')).toHaveLength(MODELS.length)
    expect(json).not.toHaveProperty('nextPageToken')
  })

  test.each([
    ['?after_id=gpt-9', 'after_id'],
    ['?before_id=gpt-9', 'before_id'],
    ['?limit=0', 'limit'],
    ['?limit=1001', 'limit'],
    ['?limit=-1', 'limit'],
    ['?limit=ten', 'limit'],
    ['?after_id=gpt-4o&before_id=gpt-4o', 'before_id'],
  ])('%s is refused with an error that names the parameter', async (query, member) => {
    for (const headers of [anthropicHeaders, {}]) {
      const answer = await list(query, headers)
      expect(answer.status).toBe(400)
      expect(answer.error['message']).toContain(`'${member}'`)
    }
  })

  test.each([
    'pageToken=x',
    `pageToken=${Buffer.from('gpt-9').toString('base64url')}`,
    'pageSize=-1',
    'pageSize=a',
  ])('Gemini’s %s is refused with an error in its format', async (query) => {
    const answer = await gateway.send({ method: 'GET', path: `/v1beta/models?${query}&key=${gateway.key}` })
    expect(answer).toMatchObject({ status: 400, error: { code: 400, status: 'INVALID_ARGUMENT' } })
  })
})

function get(model: string, headers: Record<string, string> = {}) {
  return gateway.send({ method: 'GET', path: `/v1/models/${model}`, bearer: gateway.key, headers })
}

describe('facts of a model', () => {
  test('the facts of a model are returned in the format of OpenAI', async () => {
    expect((await get('gpt-4o')).json).toMatchObject({
      id: 'gpt-4o',
      object: 'model',
      display_name: 'gpt-4o',
      context_length: 128_000,
      max_output_tokens: 16_384,
      input_modalities: ['text', 'image', 'file'],
      output_modalities: ['text'],
      shutdown_date: '2027-01-14',
    })
    const client = new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.address}/v1`, maxRetries: 0 })
    expect((await client.models.retrieve('gpt-5.2')).shutdown_date).toBeNull()
  })

  test('the facts of a model are returned in the format of Messages', async () => {
    const client = new Anthropic({ apiKey: gateway.key, baseURL: gateway.address, maxRetries: 0 })
    expect(await client.models.retrieve('claude-haiku-4-5-20251001')).toMatchObject({
      type: 'model',
      display_name: 'claude-haiku-4-5-20251001',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      max_input_tokens: 200_000,
      max_tokens: 64_000,
      lifecycle: 'active',
      retires_at: null,
    })
    const old = await client.models.retrieve('gemini-2.5-pro')
    expect(old).toMatchObject({ lifecycle: 'deprecated', retires_at: '2026-12-01T00:00:00Z' })
  })

  test('the facts of a model are returned in the format of Gemini', async () => {
    const client = new GoogleGenAI({ apiKey: gateway.key, httpOptions: { baseUrl: gateway.address } })
    expect(await client.models.get({ model: 'gemini-2.5-pro' })).toMatchObject({
      name: 'models/gemini-2.5-pro',
      displayName: 'gemini-2.5-pro',
      inputTokenLimit: 1_048_576,
      outputTokenLimit: 65_536,
    })
  })

  test('unknown facts are left out', async () => {
    const { json } = await get('my-own-model')
    expect(json).not.toHaveProperty('context_length')
    expect(json).not.toHaveProperty('input_modalities')
    const { json: other } = await get('my-own-model', anthropicHeaders)
    expect(other).toMatchObject({ max_input_tokens: null, max_tokens: null, lifecycle: 'active' })
  })

  test('the facts of a model that the caller cannot call are not shown', async () => {
    for (const [headers, type] of [
      [anthropicHeaders, 'not_found_error'],
      [{}, 'invalid_request_error'],
    ] as const) {
      const answer = await get('gpt-4.1', headers)
      expect(answer).toMatchObject({ status: 404, error: { type } })
      expect(answer.text).not.toContain('1047576')
    }
  })
})
