/** Conversations of about a given size in OpenAI's format, each expensive in its own way. */
export interface HardConversation {
  readonly name: string
  readonly body: (size: number) => Record<string, unknown>
}

const MODEL = 'model'

function times<Item>(size: number, each: number, make: (at: number) => Item): Item[] {
  return Array.from({ length: Math.max(1, Math.floor(size / each)) }, (_, at) => make(at))
}

const user = (content: unknown) => ({ role: 'user', content })
const call = (at: number, written = '{}') => ({
  id: `call_${at}`,
  type: 'function',
  function: { name: `f${at % 50}`, arguments: written },
})
const result = (at: number, content = 'ok') => ({ role: 'tool', tool_call_id: `call_${at}`, content })
const tool = (at: number) => ({
  type: 'function',
  function: {
    name: `f${at}`,
    description: 'd',
    parameters: { type: 'object', properties: { a: { type: 'string' } } },
  },
})
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

const texts = [
  ['spaces', ' '],
  ['line breaks', '\n'],
  ['quotes', '"'],
  ['backslashes', '\\'],
  ['dashes', '-'],
  ['thinking marks', '<think>'],
  ['half thinking marks', '<'],
  ['backticks', '`'],
  ['Markdown pictures', '![a](data:image/png;base64,'],
  ['data addresses', 'data:image/png;base64,'],
  ['letters', 'a'],
  ['Chinese', '汉'],
  ['pairs', '😀'],
  ['braces', '{'],
  ['commas', ','],
] as const

const conversations: readonly HardConversation[] = [
  ...texts.map(([name, unit]) => ({
    name: `a text of ${name}`,
    body: (size: number) => ({ messages: [user(unit.repeat(Math.ceil(size / unit.length)))] }),
  })),
  { name: 'short messages', body: (size) => ({ messages: times(size, 32, () => user('hi')) }) },
  {
    name: 'turns by turns',
    body: (size) => ({
      messages: times(size, 34, (at) => ({ role: at % 2 === 0 ? 'user' : 'assistant', content: 'hi' })),
    }),
  },
  {
    name: 'system messages',
    body: (size) => ({
      messages: [...times(size, 34, () => ({ role: 'system', content: 'hi' })), user('hi')],
    }),
  },
  {
    name: 'system messages in between',
    body: (size) => ({
      messages: times(size, 34, (at) => ({ role: at % 2 === 0 ? 'system' : 'user', content: 'hi' })),
    }),
  },
  {
    name: 'parts of a message',
    body: (size) => ({ messages: [user(times(size, 30, () => ({ type: 'text', text: 'hi' })))] }),
  },
  {
    name: 'pictures',
    body: (size) => ({
      messages: [
        user(
          times(size, 200, () => ({
            type: 'image_url',
            image_url: { url: `data:image/png;base64,${PIXEL}` },
          })),
        ),
      ],
    }),
  },
  {
    name: 'calls and their results in turn',
    body: (size) => ({
      messages: [
        user('hi'),
        ...times(size, 160, (at) => [
          { role: 'assistant', content: null, tool_calls: [call(at)] },
          result(at),
        ]).flat(),
      ],
    }),
  },
  {
    name: 'calls side by side, results in order',
    body: (size) => {
      const calls = times(size, 140, (at) => call(at))
      return {
        messages: [
          user('hi'),
          { role: 'assistant', content: null, tool_calls: calls },
          ...calls.map((_, at) => result(at)),
        ],
      }
    },
  },
  {
    name: 'calls side by side, results backwards',
    body: (size) => {
      const calls = times(size, 140, (at) => call(at))
      const results = calls.map((_, at) => result(at)).toReversed()
      return { messages: [user('hi'), { role: 'assistant', content: null, tool_calls: calls }, ...results] }
    },
  },
  {
    name: 'many results of JSON',
    body: (size) => {
      const calls = times(size, 160, (at) => call(at))
      return {
        messages: [
          user('hi'),
          { role: 'assistant', content: null, tool_calls: calls },
          ...calls.map((_, at) => result(at, '{"a":[1,{}]}')),
        ],
      }
    },
  },
  {
    name: 'one call with long arguments',
    body: (size) => ({
      messages: [
        user('hi'),
        { role: 'assistant', content: null, tool_calls: [call(0, `{"a":"${'a'.repeat(size)}"}`)] },
        result(0),
      ],
    }),
  },
  {
    name: 'one call with many arguments',
    body: (size) => ({
      messages: [
        user('hi'),
        {
          role: 'assistant',
          content: null,
          tool_calls: [call(0, `{"a":[${'0,'.repeat(Math.min(size / 2, 150_000))}0]}`)],
        },
        result(0),
      ],
    }),
  },
  { name: 'tools', body: (size) => ({ messages: [user('hi')], tools: times(size, 160, tool) }) },
  {
    name: 'tools of which many are allowed',
    body: (size) => {
      const tools = times(size, 200, tool)
      const allowed = tools.map(({ function: { name } }) => ({ type: 'function', function: { name } }))
      return {
        messages: [user('hi')],
        tools,
        tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: allowed } },
      }
    },
  },
  {
    name: 'a schema of references',
    body: (size) => {
      const names = times(Math.min(size, 9_000 * 60), 60, (at) => `d${at}`)
      const definitions = Object.fromEntries(names.map((name, at) => [name, { $ref: `#/$defs/d${at + 1}` }]))
      const schema = {
        type: 'object',
        properties: { a: { $ref: '#/$defs/d0' } },
        $defs: { ...definitions, [`d${names.length}`]: { type: 'string' } },
      }
      return {
        messages: [user('hi')],
        response_format: { type: 'json_schema', json_schema: { name: 's', schema } },
      }
    },
  },
  {
    name: 'a schema of many properties',
    body: (size) => {
      const names = times(Math.min(size, 9_000 * 40), 40, (at) => `p${at}`)
      const schema = {
        type: 'object',
        properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
        required: names,
      }
      return {
        messages: [user('hi')],
        response_format: { type: 'json_schema', json_schema: { name: 's', schema } },
      }
    },
  },
  {
    name: 'words to stop at',
    body: (size) => ({ messages: [user('hi')], stop: times(size, 8, (at) => `s${at}`) }),
  },
  {
    name: 'members that nobody knows',
    body: (size) => ({
      messages: [user('hi')],
      ...Object.fromEntries(times(Math.min(size, 9_000 * 40), 40, (at) => [`member_${at}`, 'a'.repeat(20)])),
    }),
  },
]

export const hardConversations: readonly HardConversation[] = conversations.map(({ name, body }) => ({
  name,
  body: (size) => ({ model: MODEL, ...body(size) }),
}))
