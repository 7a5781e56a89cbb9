import type { Conversation } from '@tollgate/dialects/canonical/conversation'
import { portableTools } from '@tollgate/dialects/canonical/portable-tools'
import { DroppedMembers } from '@tollgate/dialects/canonical/dropped'
import { describe, expect, it } from 'vitest'
import { withPropertyNames } from './property-names.ts'

const LONG = `settings__approved__countries__list${'_x'.repeat(30)}`
const string = { type: 'string' }

function conversation(properties: object, written = '{}'): Conversation {
  return {
    model: 'm',
    isStream: false,
    messages: [
      {
        role: 'assistant',
        parts: [{ type: 'tool-call', id: 'c', name: 'f', arguments: written, kind: 'function' }],
      },
    ],
    tools: [
      { type: 'function', name: 'f', parameters: { type: 'object', properties, required: ['filter[id]'] } },
    ],
    sampling: {},
    stop: [],
    choices: 1,
    metadata: {},
    extras: {},
  }
}

const names = ['filter[id]', 'filter(id)', '$top', LONG, 'plain.name']
const properties = Object.fromEntries(names.map((name) => [name, string]))

describe('names of arguments that Anthropic refuses', () => {
  const { tools, messages } = withPropertyNames(
    conversation(
      { ...properties, inner: { type: 'object', properties: { 'user name': string } } },
      '{"filter[id]":"1","inner":{"user name":"x"}}',
    ),
    'anthropic',
  )
  const [tool] = tools
  const schema = tool?.type === 'function' ? (tool.parameters ?? {}) : {}

  it('become names that it takes, and never the same one', () => {
    const keys = [...JSON.stringify(schema).matchAll(/"([^"]+)":\{/g)].map(([, key = '']) => key)
    const written = keys.filter((key) => key !== 'properties')
    for (const key of written) expect(key).toMatch(/^[a-zA-Z0-9_.-]{1,64}$/)
    expect(new Set(written).size).toBe(names.length + 2)
    expect(written).toContain('plain.name')
  })

  it('are renamed in required lists and in earlier calls', () => {
    const [part] = messages[0]?.parts ?? []
    const written: unknown = part?.type === 'tool-call' ? JSON.parse(part.arguments) : undefined
    expect(Object.keys(Object(written))).toEqual([
      ...(Array.isArray(schema['required']) ? schema['required'] : []),
      'inner',
    ])
    expect(JSON.stringify(written)).not.toContain('user name')
  })

  it('come back with the answer', () => {
    const target = { toolNames: /^\w+$/, takesCustomTools: false, dropped: new DroppedMembers() }
    const original = portableTools(
      withPropertyNames(conversation(properties), 'anthropic'),
      target,
    ).originals.get('f')
    expect([...(original?.propertyNames?.values() ?? [])].toSorted()).toEqual(
      ['filter[id]', 'filter(id)', '$top', LONG].toSorted(),
    )
  })
})

it.each([['openai'], ['gemini'], ['responses'], [undefined]] as const)(
  'names for %s stay as they are',
  (target) => {
    const whole = conversation(properties)
    expect(withPropertyNames(whole, target)).toBe(whole)
  },
)

it('names that Anthropic takes stay as they are', () => {
  const whole = conversation({ 'a.b-c_d': string })
  expect(withPropertyNames(whole, 'anthropic')).toBe(whole)
})
