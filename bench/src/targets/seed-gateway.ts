import { randomBytes } from 'node:crypto'
import { request } from 'undici'
import type { Upstreams } from '../upstreams.ts'
import { models, type Kind } from '../workload.ts'

const CHANNEL_TYPE_OPENAI = 1

/** Sets a fresh gateway up through its own API, as an operator would, and returns a token for the load. */
export async function seedGateway(origin: string, upstreams: Upstreams): Promise<string> {
  const username = 'bench'
  const password = randomBytes(9).toString('base64url')
  await call(origin, '/api/setup', { username, password, confirmPassword: password })
  const login = await call(origin, '/api/user/login', { username, password })
  const session = { cookie: login.cookie, 'tollgate-user': String(read(login.data, 'id')) }
  for (const kind of ['whole', 'stream'] as const) await addChannel(origin, kind, upstreams, session)
  const token = await call(origin, '/api/token', { name: 'bench', unlimited_quota: true }, session)
  const key = String(read(token.data, 'key'))
  return key.startsWith('sk-') ? key : `sk-${key}`
}

async function addChannel(
  origin: string,
  kind: Kind,
  upstreams: Upstreams,
  session: Record<string, string>,
): Promise<void> {
  const channel = {
    type: CHANNEL_TYPE_OPENAI,
    name: kind,
    key: 'sk-upstream',
    base_url: upstreams[kind].origin,
    models: models[kind],
    group: 'default',
  }
  await call(origin, '/api/channel', channel, session)
}

interface Answer {
  readonly data: unknown
  readonly cookie: string
}

async function call(
  origin: string,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await request(origin + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin, ...headers },
    body: JSON.stringify(body),
  })
  const text = await answer.body.text()
  const envelope: unknown = JSON.parse(text)
  if (read(envelope, 'success') !== true)
    throw new Error(`${path}: ${answer.statusCode} ${text.slice(0, 300)}`)
  const cookies = [answer.headers['set-cookie'] ?? []].flat()
  return { data: read(envelope, 'data'), cookie: cookies.map((cookie) => cookie.split(';', 1)[0]).join('; ') }
}

function read(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}
