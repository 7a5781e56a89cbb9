import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

/** A chat upstream that plays the scene named in the last question, and records its requests. */
export interface ChatUpstream {
  readonly url: string
  readonly asked: readonly Asked[]
  close(): Promise<void>
}

export interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

/** Chunks of a stream, in order; `wait` keeps the stream open until the client disconnects. */
type Scene = readonly (object | 'wait')[]

const said = (content: string) => ({ delta: { content } })
const called = (index: number, call: object) => ({ delta: { tool_calls: [{ index, ...call }] } })

export const CODE = "const price = (tokens: number) => tokens * 2\nconsole.log('<b>toll</b>', price(21))"

const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const scenes: Readonly<Record<string, Scene>> = {
  formula: [said('The sum is $$\\frac{n(n+1)}{2}$$ and '), said('an apple costs $5.')],
  code: [said('Here it is:\n\n```ts\n'), said(`${CODE}\n`), said('```\n\n<img src=x onerror=alert(1)>')],
  picture: [
    said('You are here:\n\n![a map of the town](https://pictures.example/map.png?q=what-was-'),
    said(`said)\n\n![a dot](data:image/png;base64,${DOT})`),
  ],
  think: [
    { delta: { reasoning_content: 'First I weigh ' } },
    { delta: { reasoning_content: 'both sides.' } },
    said('The left one.'),
  ],
  tool: [
    called(0, { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"ci' } }),
    called(0, { function: { arguments: 'ty":"Basel"}' } }),
    { delta: {}, finish_reason: 'tool_calls' },
  ],
  slow: [said('A beginning'), 'wait'],
}

const USAGE = { prompt_tokens: 1200, completion_tokens: 345, total_tokens: 1545 }

/** Starts on a free loopback port. A question without a scene is echoed. */
export async function startChatUpstream(): Promise<ChatUpstream> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const question: Asked = JSON.parse(body)
      asked.push(question)
      return play(response, sceneOf(question))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function sceneOf({ messages }: Asked): Scene {
  const last = JSON.stringify(messages.at(-1)?.content ?? '')
  const name = Object.keys(scenes).find((known) => last.includes(`scene: ${known}`))
  return scenes[name ?? ''] ?? [said(`You said ${last}`)]
}

function play(response: ServerResponse, scene: Scene): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const piece of scene) {
    if (piece === 'wait') return
    const choice = { index: 0, finish_reason: null, ...piece }
    response.write(frame({ choices: [choice] }))
  }
  response.write(frame({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }))
  response.write(frame({ choices: [], usage: USAGE }))
  response.end('data: [DONE]\n\n')
}

function frame(chunk: object): string {
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1_750_000_000, model: 'gpt-4o' }
  return `data: ${JSON.stringify({ ...head, ...chunk })}\n\n`
}
