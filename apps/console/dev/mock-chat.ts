import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'

const TEXT = `Here is a **streamed** answer with code:

\`\`\`ts
const answer = await fetch('/v1/models') // every model this token may use
\`\`\`

| model | price |
|---|---|
| gpt-5.2-mini | $0.25 / M |

<script>alert('inert')</script>`

/** Streams a chat response, a few letters at a time. */
export async function chatStream(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const content of TEXT.match(/[\s\S]{1,6}/g) ?? []) {
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`)
    await wait(15)
  }
  response.end('data: [DONE]\n\n')
}
