import type { Example } from '../../../shared/code-example/code-example.tsx'
import { type ExampleValues, KEY_IN_EXAMPLES } from './example-values.ts'
import { otherExamples } from './other-examples.ts'
import { toolExamples } from './tool-examples.ts'

interface Call {
  readonly path: string
  readonly body: (model: string) => Readonly<Record<string, unknown>>
  /**
   * The method of the vendor's client, the same in both languages, and the member of the response that is
   * printed.
   */
  readonly client: 'openai' | 'anthropic'
  readonly method: string
  readonly printed: { readonly python: string; readonly typescript: string }
}

const HELLO = [{ role: 'user', content: 'Hello' }]
const answer = (field: string) => ({
  python: `print(answer.${field})`,
  typescript: `console.log(answer.${field})`,
})

const calls: Readonly<Record<string, Call>> = {
  chat: {
    path: '/v1/chat/completions',
    body: (model) => ({ model, messages: HELLO }),
    client: 'openai',
    method: 'chat.completions.create',
    printed: answer('choices[0].message.content'),
  },
  responses: {
    path: '/v1/responses',
    body: (model) => ({ model, input: 'Hello' }),
    client: 'openai',
    method: 'responses.create',
    printed: answer('output_text'),
  },
  messages: {
    path: '/v1/messages',
    body: (model) => ({ model, max_tokens: 1024, messages: HELLO }),
    client: 'anthropic',
    method: 'messages.create',
    printed: answer('content'),
  },
  completions: {
    path: '/v1/completions',
    body: (model) => ({ model, prompt: 'Once upon a time' }),
    client: 'openai',
    method: 'completions.create',
    printed: answer('choices[0].text'),
  },
  embeddings: {
    path: '/v1/embeddings',
    body: (model) => ({ model, input: 'The quick brown fox' }),
    client: 'openai',
    method: 'embeddings.create',
    printed: answer('data[0].embedding'),
  },
  moderations: {
    path: '/v1/moderations',
    body: (model) => ({ model, input: 'Hello' }),
    client: 'openai',
    method: 'moderations.create',
    printed: answer('results[0]'),
  },
  images: {
    path: '/v1/images/generations',
    body: (model) => ({ model, prompt: 'A lighthouse at dawn' }),
    client: 'openai',
    method: 'images.generate',
    printed: answer('data[0]'),
  },
  speech: {
    path: '/v1/audio/speech',
    body: (model) => ({ model, voice: 'alloy', input: 'Hello' }),
    client: 'openai',
    method: 'audio.speech.create',
    printed: {
      python: 'answer.write_to_file("hello.mp3")',
      typescript: "await writeFile('hello.mp3', Buffer.from(await answer.arrayBuffer()))",
    },
  },
}

/** The endpoints that have an example, in the order in which they are offered. */
export function exampleEndpoints(endpoints: readonly string[]): readonly string[] {
  return endpoints.filter(
    (endpoint) => Object.hasOwn(calls, endpoint) || Object.hasOwn(otherExamples, endpoint),
  )
}

/** The same request for three tools. */
export function examplesOf(endpoint: string, values: ExampleValues): readonly Example[] {
  const { model, address } = values
  const call = calls[endpoint]
  if (call === undefined) return otherExamples[endpoint]?.(values) ?? []
  const body = call.body(model)
  return toolExamples({
    curl: curl(call, body, address),
    python: python(call, body, address),
    typescript: typescript(call, body, address),
  })
}

function curl({ path, client }: Call, body: object, address: string): string {
  const auth =
    client === 'anthropic'
      ? `-H "x-api-key: ${KEY_IN_EXAMPLES}" \\\n  -H "anthropic-version: 2023-06-01"`
      : `-H "Authorization: Bearer ${KEY_IN_EXAMPLES}"`
  const text = JSON.stringify(body, null, 2)
    .replaceAll("'", String.raw`'\''`)
    .replaceAll('\n', '\n  ')
  return `curl ${address}${path} \\\n  ${auth} \\\n  -H "Content-Type: application/json" \\\n  -d '${text}'`
}

function python(
  { client, method, printed }: Call,
  body: Readonly<Record<string, unknown>>,
  address: string,
): string {
  const isAnthropic = client === 'anthropic'
  const [module, name] = isAnthropic ? ['anthropic', 'Anthropic'] : ['openai', 'OpenAI']
  const base = isAnthropic ? address : `${address}/v1`
  const parts = Object.entries(body).map(([key, value]) => `    ${key}=${JSON.stringify(value)},`)
  return `from ${module} import ${name}

client = ${name}(base_url="${base}", api_key="${KEY_IN_EXAMPLES}")

answer = client.${method}(
${parts.join('\n')}
)
${printed.python}`
}

function typescript(
  { client, method, printed }: Call,
  body: Readonly<Record<string, unknown>>,
  address: string,
): string {
  const isAnthropic = client === 'anthropic'
  const [module, name] = isAnthropic ? ['@anthropic-ai/sdk', 'Anthropic'] : ['openai', 'OpenAI']
  const base = isAnthropic ? address : `${address}/v1`
  const parts = Object.entries(body).map(([key, value]) => `  ${key}: ${literal(value)},`)
  const files = printed.typescript.includes('writeFile')
    ? "import { writeFile } from 'node:fs/promises'\n"
    : ''
  return `${files}import ${name} from '${module}'

const client = new ${name}({ baseURL: '${base}', apiKey: '${KEY_IN_EXAMPLES}' })

const answer = await client.${method}({
${parts.join('\n')}
})
${printed.typescript}`
}

/** A TypeScript literal, formatted in the style of our own sources. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, member]) => `${key}: ${literal(member)}`)
    return `{ ${members.join(', ')} }`
  }
  if (typeof value !== 'string') return JSON.stringify(value)
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`
}
