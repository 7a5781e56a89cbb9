import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { invariant } from '@tollgate/kit/invariant'

/** An upstream with a cache of prompts: each key remembers the beginnings of the prompts that it was sent. */
export interface PrefixCacheUpstream {
  readonly url: string
  /** Input tokens of all requests so far, and how many of them were cached. */
  readonly tokens: { input: number; cached: number }
  /** Keys that are refused from now on. */
  readonly refused: Set<string>
  /** Empties the caches and the sums. */
  reset(): void
  close(): Promise<void>
}

const BLOCK_CHARACTERS = 512
export const BLOCK_TOKENS = 128

/** A prompt is forgotten when this many requests came after its last use. */
export async function openPrefixCacheUpstream(forgottenAfter: number): Promise<PrefixCacheUpstream> {
  const lastUse = new Map<string, number>()
  const tokens = { input: 0, cached: 0 }
  const refused = new Set<string>()
  let requests = 0

  /** The number of leading blocks that the key has in its cache; afterwards it has all. */
  function cachedBlocks(key: string, prompt: string): { all: number; cached: number } {
    const now = ++requests
    const hash = createHash('sha256').update(key)
    const all = Math.floor(prompt.length / BLOCK_CHARACTERS)
    let cached = 0
    let isCached = true
    for (let block = 0; block < all; block++) {
      hash.update(prompt.slice(block * BLOCK_CHARACTERS, (block + 1) * BLOCK_CHARACTERS))
      const beginning = hash.copy().digest('base64')
      isCached &&= now - (lastUse.get(beginning) ?? -Infinity) <= forgottenAfter
      if (isCached) cached++
      lastUse.set(beginning, now)
    }
    return { all, cached }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    const key = request.headers.authorization ?? ''
    if (refused.has(key)) {
      response.writeHead(429, { 'retry-after': '600' }).end('{"error":{"message":"slow"}}')
      return
    }
    const { messages }: { messages: readonly { content: string }[] } = JSON.parse(body)
    const { all, cached } = cachedBlocks(key, messages.map(({ content }) => content).join(''))
    tokens.input += all * BLOCK_TOKENS
    tokens.cached += cached * BLOCK_TOKENS
    const usage = {
      prompt_tokens: all * BLOCK_TOKENS,
      completion_tokens: 1,
      prompt_tokens_details: { cached_tokens: cached * BLOCK_TOKENS },
    }
    const choices = [{ index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }]
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ id: 'c', object: 'chat.completion', model: 'm', choices, usage }))
  }

  const server = createServer((request, response) => {
    void answer(request, response)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  invariant(typeof address === 'object' && address, 'the upstream listens on a port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    tokens,
    refused,
    reset: () => {
      lastUse.clear()
      Object.assign(tokens, { input: 0, cached: 0 })
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
