import { describe, expect, it } from 'vitest'
import { compileOverride, openDraft, withChanges } from './override.ts'

const body = {
  model: 'gpt-4o',
  stream: true,
  temperature: 1,
  messages: [{ role: 'user', content: ' Hello World ' }],
  metadata: { user: 'u1', tags: ['a'] },
}
const overridden = (members: object) => compileOverride({ ...members })(openDraft(body)).body
const after = (...operations: object[]) => overridden({ operations })

describe('members by their paths', () => {
  it('are set at any depth', () => {
    expect(overridden({ temperature: 0, 'metadata.user': 'u2', 'a.b': 1 })).toEqual({
      ...body,
      temperature: 0,
      metadata: { ...body.metadata, user: 'u2' },
      a: { b: 1 },
    })
    expect(body.metadata.user).toBe('u1')
  })

  it.each<Record<string, unknown>>([
    { stream: false },
    { 'stream.x': 1 },
    { 'a.__proto__.b': 1 },
    { constructor: 1 },
  ])(
    'a lesson does not change %j, which decides how the answer is read or means something else',
    (override) => {
      expect(overridden(override)).toEqual(body)
    },
  )

  it('change nothing if there are none', () => {
    expect(overridden({})).toBe(body)
  })
})

describe('override operations', () => {
  it.each<[object, object]>([
    [{ mode: 'set', path: 'temperature', value: 0 }, { temperature: 0 }],
    [{ mode: 'set', path: 'temperature', value: 0, keep_origin: true }, { temperature: 1 }],
    [{ mode: 'set', path: 'top_p', value: 0.5, keep_origin: true }, { top_p: 0.5 }],
    [
      { mode: 'set', path: 'messages.-1.role', value: 'x' },
      { messages: [{ ...body.messages[0], role: 'x' }] },
    ],
    [{ mode: 'set', path: 'messages.7.role', value: 'x' }, { messages: body.messages }],
    [{ mode: 'delete', path: 'metadata.user' }, { metadata: { tags: ['a'] } }],
    [{ mode: 'delete', path: 'metadata.tags.0' }, { metadata: { user: 'u1', tags: [] } }],
    [
      { mode: 'move', from: 'metadata.user', to: 'user' },
      { user: 'u1', metadata: { tags: ['a'] } },
    ],
    [
      { mode: 'copy', from: 'metadata.user', to: 'user' },
      { user: 'u1', metadata: body.metadata },
    ],
    [{ mode: 'prepend', path: 'metadata.tags', value: 'b' }, { metadata: { user: 'u1', tags: ['b', 'a'] } }],
    [{ mode: 'append', path: 'metadata.tags', value: ['b'] }, { metadata: { user: 'u1', tags: ['a', 'b'] } }],
    [{ mode: 'append', path: 'model', value: '-mini' }, { model: 'gpt-4o-mini' }],
    [
      { mode: 'append', path: 'metadata', value: { user: 'x', z: 1 } },
      { metadata: { ...body.metadata, z: 1 } },
    ],
    [{ mode: 'trim_prefix', path: 'model', value: 'gpt-' }, { model: '4o' }],
    [{ mode: 'trim_suffix', path: 'model', value: '-4o' }, { model: 'gpt' }],
    [{ mode: 'ensure_prefix', path: 'model', value: 'openai/' }, { model: 'openai/gpt-4o' }],
    [{ mode: 'ensure_suffix', path: 'model', value: '4o' }, { model: 'gpt-4o' }],
    [
      { mode: 'trim_space', path: 'messages.0.content' },
      { messages: [{ role: 'user', content: 'Hello World' }] },
    ],
    [{ mode: 'to_upper', path: 'model' }, { model: 'GPT-4O' }],
    [
      { mode: 'to_lower', path: 'messages.0.content' },
      { messages: [{ role: 'user', content: ' hello world ' }] },
    ],
    [{ mode: 'replace', path: 'model', from: 'gpt', to: 'x' }, { model: 'x-4o' }],
    [{ mode: 'regex_replace', path: 'model', from: '[0-9]+', to: '5' }, { model: 'gpt-5o' }],
    [{ mode: 'to_upper', path: 'temperature' }, { temperature: 1 }],
    [
      { mode: 'set', path: 'messages.*.name', value: 'x' },
      { messages: [{ ...body.messages[0], name: 'x' }] },
    ],
  ])('%j', (operation, expected) => {
    expect(after(operation)).toMatchObject(expected)
  })

  it('are applied in order', () => {
    const first = { mode: 'copy', from: 'model', to: 'metadata.model' }
    expect(after(first, { mode: 'to_upper', path: 'metadata.model' })).toMatchObject({
      metadata: { model: 'GPT-4O' },
    })
  })

  it.each<[object, boolean]>([
    [{ conditions: [{ path: 'model', mode: 'prefix', value: 'gpt' }] }, true],
    [{ conditions: [{ path: 'model', mode: 'suffix', value: 'mini' }] }, false],
    [{ conditions: [{ path: 'model', mode: 'contains', value: 'mini', invert: true }] }, true],
    [{ conditions: [{ path: 'temperature', mode: 'gte', value: 1 }] }, true],
    [{ conditions: [{ path: 'nowhere', value: 1 }] }, false],
    [{ conditions: [{ path: 'nowhere', value: 1, pass_missing_key: true }] }, true],
    [{ conditions: { model: 'gpt-4o' } }, true],
    [
      {
        conditions: [
          { path: 'model', value: 'x' },
          { path: 'temperature', value: 1 },
        ],
      },
      true,
    ],
    [
      {
        logic: 'AND',
        conditions: [
          { path: 'model', value: 'x' },
          { path: 'temperature', value: 1 },
        ],
      },
      false,
    ],
  ])('operations are applied when %j holds: %s', (condition, isDone) => {
    const changed = after({ mode: 'set', path: 'done', value: true, ...condition })
    expect('done' in changed).toBe(isDone)
  })

  it('can refuse the call with a message of the operator', () => {
    expect(() => after({ mode: 'return_error', value: { message: 'no such luck' } })).toThrow(/no such luck/)
  })

  it.each([
    { mode: 'shuffle' },
    { mode: 'regex_replace', path: 'model', from: '(', to: '' },
    { mode: 'set', conditions: [{ path: 'model', mode: 'like' }] },
    { mode: 'prune_objects', path: 'messages' },
    { mode: 'prune_objects', path: 'messages', value: { where: {} } },
    { mode: 'set_header', path: 'Content-Length', value: '1' },
    { mode: 'set_header', path: 'x-a', value: 'a\r\nb' },
    { mode: 'copy_header', from: 'x-a' },
    { mode: 'pass_headers', value: 'authorization' },
    { mode: 'sync_fields', from: 'json:user' },
  ])('that are invalid, such as %j, make the override invalid', (operation) => {
    expect(() => compileOverride({ operations: [operation] })).toThrow(/channel_override_invalid/)
  })
})

describe('prune_objects', () => {
  const thinking = { type: 'thinking', thinking: 'a' }
  const text = { type: 'text', text: 'b', extra: { type: 'thinking' } }
  const messages = [
    { role: 'user', content: [thinking, text] },
    { role: 'user', content: 'c' },
  ]
  const pruned = (operation: object) =>
    compileOverride({ operations: [{ mode: 'prune_objects', ...operation }] })(openDraft({ messages })).body

  it.each<[object, object[]]>([
    [{ path: 'messages.#.content', value: 'thinking' }, [{ type: 'text', text: 'b' }]],
    [{ value: { type: 'thinking' } }, [{ type: 'text', text: 'b' }]],
    [{ path: 'messages.0.content', value: { where: { type: 'thinking' }, recursive: false } }, [text]],
    [{ path: 'messages', value: { where: { type: 'thinking', thinking: 'z' } } }, [thinking, text]],
    [{ path: 'messages', value: { where: { type: 'nothing', thinking: 'a' }, logic: 'OR' } }, [{ ...text }]],
    [{ path: 'messages', value: { conditions: [{ path: 'text', mode: 'prefix', value: 'b' }] } }, [thinking]],
  ])('%j', (operation, content) => {
    expect(pruned(operation)).toEqual({ messages: [{ role: 'user', content }, messages[1]] })
  })

  it('returns the same object when nothing was removed', () => {
    expect(pruned({ value: 'image' })['messages']).toBe(messages)
  })
})

describe('header operations', () => {
  const caller = { 'x-trace': 't1', 'x-team': 'red', authorization: 'Bearer sk-callers-own', cookie: 'c=1' }
  const shaped = (...operations: object[]) => compileOverride({ operations })(openDraft(body, caller))

  it.each<[object[], object]>([
    [[{ mode: 'set_header', path: 'X-Org', value: 7 }], { 'x-org': '7' }],
    [
      [
        { mode: 'set_header', path: 'x-org', value: 'a' },
        { mode: 'set_header', path: 'x-org', value: 'b', keep_origin: true },
      ],
      { 'x-org': 'a' },
    ],
    [[{ mode: 'delete_header', path: 'OpenAI-Organization' }], { 'openai-organization': undefined }],
    [[{ mode: 'copy_header', from: 'X-Trace', to: 'x-request-id' }], { 'x-request-id': 't1' }],
    [
      [
        { mode: 'set_header', path: 'x-a', value: '1' },
        { mode: 'move_header', from: 'x-a', to: 'x-b' },
      ],
      { 'x-a': undefined, 'x-b': '1' },
    ],
    [[{ mode: 'pass_headers', value: ['X-Trace', 'x-none'] }], { 'x-trace': 't1' }],
    [[{ mode: 'pass_headers', value: 'x-trace, x-team' }], { 'x-trace': 't1', 'x-team': 'red' }],
    [[{ mode: 'pass_headers', value: { headers: ['x-team'] } }], { 'x-team': 'red' }],
    [[{ mode: 'sync_fields', from: 'json:metadata.user', to: 'header:x-user' }], { 'x-user': 'u1' }],
    [[{ mode: 'set_header', path: 'x-a', value: '1', conditions: { model: 'other' } }], {}],
  ])('%j', (operations, expected) => {
    expect(shaped(...operations).headers).toEqual(expected)
  })

  it('sync_fields fills a missing member and leaves an existing one', () => {
    const operation = { mode: 'sync_fields', from: 'header:x-trace' }
    expect(shaped({ ...operation, to: 'json:user' }).body).toEqual({ ...body, user: 't1' })
    expect(shaped({ ...operation, to: 'metadata.user' }).body).toBe(body)
  })

  it.each(['authorization', 'cookie', 'host', 'sec-websocket-key'])(
    "never expose the client's header %s",
    (from) => {
      const copy = () => shaped({ mode: 'copy_header', from, to: 'x-stolen' }).headers
      if (from === 'host') expect(copy).toThrow(/channel_override_invalid/)
      else expect(copy()).toEqual({})
    },
  )

  it('withChanges adds and removes headers', () => {
    expect(withChanges({ accept: '*/*', 'x-a': '1' }, { 'x-a': undefined, 'x-b': '2' })).toEqual({
      accept: '*/*',
      'x-b': '2',
    })
  })
})

it("notes edits that change the upstream's charge", () => {
  const operations = [
    { mode: 'set', path: 'service_tier', value: 'flex' },
    { mode: 'set', path: 'user', value: 'x' },
    { mode: 'delete', path: 'speed' },
    { mode: 'append', path: 'model', value: '-mini' },
  ]
  const { notes } = compileOverride({ operations })(openDraft(body))
  expect(notes).toEqual(['set service_tier = "flex"', 'set model = "gpt-4o-mini"'])
})
