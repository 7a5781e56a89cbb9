export const tools = [
  { id: 'curl', label: 'curl' },
  { id: 'python', label: 'Python' },
  { id: 'node', label: 'Node.js' },
] as const

type Tool = (typeof tools)[number]['id']

export const KEY_IN_EXAMPLES = 'sk-…'

interface ExampleValues {
  readonly address: string
  readonly model: string
}

/** The same streamed chat request, written for three tools. */
export function exampleOf(tool: Tool, values: ExampleValues): string {
  return examples[tool](values)
}

const examples: Readonly<Record<Tool, (values: ExampleValues) => string>> = {
  curl: ({ address, model }) => `curl -N ${address}/v1/chat/completions \\
  -H "Authorization: Bearer ${KEY_IN_EXAMPLES}" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "${model}",
    "messages": [{ "role": "user", "content": "Hello" }],
    "stream": true
  }'`,

  python: ({ address, model }) => `from openai import OpenAI

client = OpenAI(base_url="${address}/v1", api_key="${KEY_IN_EXAMPLES}")

stream = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "Hello"}],
    stream=True,
)
for chunk in stream:
    for choice in chunk.choices:
        print(choice.delta.content or "", end="")`,

  node: ({ address, model }) => `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${address}/v1', apiKey: '${KEY_IN_EXAMPLES}' })

const stream = await client.chat.completions.create({
  model: '${model}',
  messages: [{ role: 'user', content: 'Hello' }],
  stream: true,
})
for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta?.content ?? '')`,
}
