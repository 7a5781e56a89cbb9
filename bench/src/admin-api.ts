import { randomBytes } from 'node:crypto'
import { request } from 'undici'

/** The admin API of a fresh gateway, used by its first operator. */
export interface AdminApi {
  /** Resolves to `data` of the response; throws when the call is refused. Without a body it is a GET. */
  call(path: string, body?: object, method?: 'POST' | 'PUT' | 'DELETE'): Promise<unknown>
}

export async function openAdminApi(origin: string): Promise<AdminApi> {
  const username = 'bench'
  const password = newPassword()
  await send(origin, '/api/setup', { body: { username, password, confirmPassword: password } })
  return signIn(origin, { username, password })
}

export function newPassword(): string {
  return randomBytes(9).toString('base64url')
}

/** The same API for another user. */
export async function signIn(
  origin: string,
  { username, password }: { username: string; password: string },
): Promise<AdminApi> {
  const login = await send(origin, '/api/user/login', { body: { username, password } })
  const headers = { cookie: login.cookie, 'tollgate-user': String(read(login.data, 'id')) }
  return {
    call: async (path, body, method) =>
      (await send(origin, path, { headers, ...(body && { body }), ...(method && { method }) })).data,
  }
}

interface Sent {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
  readonly method?: 'POST' | 'PUT' | 'DELETE'
}

async function send(
  origin: string,
  path: string,
  { headers, body, method = 'POST' }: Sent,
): Promise<{ data: unknown; cookie: string }> {
  const answer = await request(origin + path, {
    method: body === undefined ? 'GET' : method,
    headers: { 'content-type': 'application/json', origin, ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.body.text()
  const envelope: unknown = JSON.parse(text)
  if (read(envelope, 'success') !== true)
    throw new Error(`${path}: ${answer.statusCode} ${text.slice(0, 300)}`)
  const cookies = [answer.headers['set-cookie'] ?? []].flat()
  return { data: read(envelope, 'data'), cookie: cookies.map((cookie) => cookie.split(';', 1)[0]).join('; ') }
}

export function read(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
}
