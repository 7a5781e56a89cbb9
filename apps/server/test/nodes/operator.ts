import { Agent, type IncomingMessage, request } from 'node:http'
import { routes } from '@tollgate/contract/routes'
import { ROOT, Visitor } from '../harness.ts'

/** Operates a gateway over HTTP and makes calls through it. */
export interface Operator {
  readonly root: Visitor
  readonly newToken: (name: string) => Promise<string>
}

export const MODEL = 'gpt-4o-mini'

/** Does the setup, signs in, and adds a channel to the upstream. */
export async function operate(address: string, upstream: { readonly url: string }): Promise<Operator> {
  const root = new Visitor(address)
  const { username, password } = ROOT
  await root.call(routes.setup.run, { body: { username, password, confirmPassword: password } })
  await root.signIn(ROOT)
  await addChannel(root, upstream.url)
  return { root, newToken: (name) => newToken(root, name) }
}

export async function addChannel(root: Visitor, url: string, models = MODEL): Promise<void> {
  const body = {
    type: 1,
    key: 'sk-upstream-key',
    name: 'upstream',
    base_url: url,
    models,
    group: 'default',
  }
  await root.call(routes.channel.create, { body })
}

async function newToken(root: Visitor, name: string): Promise<string> {
  const { key } = await root.call(routes.token.create, { body: { name, unlimited_quota: true } })
  return key.startsWith('sk-') ? key : `sk-${key}`
}

export interface CallResult {
  readonly status: number
  readonly text: string
  readonly requestId: string
}

export interface CallInput {
  readonly address: string
  readonly key: string
  readonly body?: Record<string, unknown>
  /**
   * Agent with keep-alive connections. Without one each call opens its own connection and may reach any
   * worker process.
   */
  readonly agent?: Agent
}

/** Makes a relay call. Rejects when the connection breaks before the response is complete. */
export function relayCall({ address, key, body = {}, agent }: CallInput): Promise<CallResult> {
  const content = JSON.stringify({
    model: MODEL,
    messages: [{ role: 'user', content: 'hello' }],
    ...body,
  })
  return new Promise((resolve, reject) => {
    const sent = request(`${address}/v1/chat/completions`, {
      method: 'POST',
      agent: agent ?? false,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      let text = ''
      response.on('data', (piece: Buffer) => (text += piece.toString()))
      response.on('end', () =>
        response.complete
          ? resolve({ status: response.statusCode ?? 0, text, requestId: requestIdOf(response) })
          : reject(new Error('cut off')),
      )
      response.on('error', reject)
    })
    sent.end(content)
  })
}

function requestIdOf({ headers }: IncomingMessage): string {
  return String(headers['x-request-id'] ?? '')
}
