import type { Page } from 'playwright-core'

export interface Site {
  readonly url: string
  readonly username: string
  readonly password: string
  /** Key of a token with quota. */
  readonly key: string
}

/** Sets up a fresh gateway over its API, with one channel, one token and a few calls in the log. */
export async function seedSite(url: string, upstreamUrl: string): Promise<Site> {
  const account = { username: 'operator', password: 'first-password' }
  const flags = { SelfUseModeEnabled: false, DemoSiteEnabled: false }
  await send(url, '/api/setup', { body: { ...account, confirmPassword: account.password, ...flags } })
  const headers = await signIn(url, account)
  await send(url, '/api/channel/', {
    headers,
    body: {
      type: 1,
      name: 'Fake upstream',
      key: 'sk-upstream',
      base_url: upstreamUrl,
      models: MODELS,
      group: 'default',
    },
  })
  const { key } = await send<{ key: string }>(url, '/api/token/', {
    headers,
    body: { name: 'prod-web', remain_quota: 5_000_000 },
  })
  await setOptions(url, headers, DOORS)
  for (const model of ['gpt-4o', 'gpt-4o-mini', 'no-such-model']) await chat(url, key, model)
  return { url, ...account, key }
}

/**
 * Every sign-in provider whose button can be drawn without a request to another site; mail is configured so
 * that codes and links are offered.
 */
const DOORS = {
  ServerAddress: 'https://gate.example',
  SMTPServer: 'localhost',
  SMTPAccount: 'robot@gate.example',
  EmailVerificationEnabled: 'true',
  GitHubClientId: 'tollgate',
  GitHubClientSecret: 'secret',
  GitHubOAuthEnabled: 'true',
  LinuxDOClientId: 'tollgate',
  LinuxDOClientSecret: 'secret',
  LinuxDOOAuthEnabled: 'true',
  WeChatServerAddress: 'https://wechat.example',
  WeChatServerToken: 'secret',
  WeChatAuthEnabled: 'true',
  'oidc.client_id': 'tollgate',
  'oidc.client_secret': 'secret',
  'oidc.well_known': 'https://issuer.example/.well-known/openid-configuration',
  'oidc.enabled': 'true',
  CheckInEnabled: 'true',
} as const

const MODELS = 'gpt-4o,gpt-4o-mini,text-embedding-3-small'

/**
 * Puts a session into the page's browser, as a sign-in on the login page does. It needs an address of the
 * gateway only, so it opens one that takes less time than the login page.
 */
export async function signInAs(
  page: Page,
  { username, password }: Pick<Site, 'username' | 'password'>,
): Promise<void> {
  await page.goto('/api/status')
  await page.evaluate(
    async (account) => {
      const response = await fetch('/api/user/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(account),
      })
      const { success, message, data } = await response.json()
      if (!success) throw new Error(`${account.username} may not sign in (${response.status}): ${message}`)
      localStorage.setItem('user', JSON.stringify(data))
    },
    { username, password },
  )
}

/** Sends one request for each key, as the settings page does. */
export async function setOptions(
  url: string,
  headers: Record<string, string>,
  values: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [key, value] of Object.entries(values))
    await send(url, '/api/option/', { method: 'PUT', headers, body: { key, value } })
}

/** Returns the headers of a signed-in browser. Throws the gateway's message when it refuses. */
export async function signIn(
  url: string,
  account: { readonly username: string; readonly password: string },
): Promise<Record<string, string>> {
  const response = await post(url, '/api/user/login', { body: account })
  const { success, message, data }: { success: boolean; message: string; data?: { id: number } } =
    await response.json()
  if (!success || data === undefined)
    throw new Error(`${account.username} may not sign in at ${url} (${response.status}): ${message}`)
  const cookie = response.headers.get('set-cookie')?.split(';')[0] ?? ''
  return { cookie, 'tollgate-user': String(data.id), 'sec-fetch-site': 'same-origin' }
}

function chat(url: string, key: string, model: string): Promise<Response> {
  return post(url, '/v1/chat/completions', {
    headers: { authorization: `Bearer sk-${key}` },
    body: { model, messages: [{ role: 'user', content: 'Hello' }] },
  })
}

interface Sent {
  readonly method?: 'GET' | 'POST' | 'PUT'
  readonly headers?: Record<string, string>
  readonly body?: object
}

function post(url: string, path: string, { method = 'POST', headers, body }: Sent): Promise<Response> {
  return fetch(url + path, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
}

export async function send<Data>(url: string, path: string, sent: Sent): Promise<Data> {
  const response = await post(url, path, sent)
  const { success, message, data }: { success: boolean; message: string; data: Data } = await response.json()
  if (!success) throw new Error(`${path}: ${message}`)
  return data
}
