import { QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { queryClient } from '../../shared/api/query-client.ts'
import { parseSearch, stringifySearch } from '../../shared/routing/search.ts'
import { signIn, signOut } from '../../shared/session/session.ts'
import ConnectPage from './page.tsx'

const user = { id: 7, username: 'lin.wei', display_name: '', role: 1, group: 'default' }
const token = {
  id: 3,
  name: 'laptop',
  key: 'abc***xyz',
  status: 1,
  group: '',
  model_limits_enabled: false,
  model_limits: '',
}
const KEY = 'sk-the-whole-key'
const written: string[] = []

interface Site {
  readonly tokens?: readonly object[] | undefined
  readonly models?: readonly string[]
  readonly address?: string
  /** Answers of relay paths: a status and a body. */
  readonly relay?: readonly [number, unknown]
}

interface Sent {
  readonly path: string
  readonly init: RequestInit | undefined
}

/** The API of a site, by the beginning of the path. Returns the requests. */
function serve({
  tokens = [token],
  models = ['gpt-5.2', 'claude-sonnet-4-5'],
  relay = [200, {}],
  address = '',
}: Site): Sent[] {
  const sent: Sent[] = []
  const data: readonly (readonly [string, unknown])[] = [
    ['/api/token/3/key', { id: 3, key: KEY }],
    ['/api/token', tokens],
    ['/api/user/models', models],
    ['/api/user/self', user],
    ['/api/log', { items: [{ quota: 250 }], total: 1, page: 1, page_size: 1 }],
    ['/api/pricing', []],
    [
      '/api/status',
      {
        server_address: address,
        system_name: 'Tollgate',
        quota_per_unit: 500_000,
        display_in_currency: true,
      },
    ],
  ]
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) => {
    sent.push({ path: url, init })
    if (url.startsWith('/v1')) {
      const headers = { 'x-oneapi-request-id': 'call-1' }
      return Promise.resolve(new Response(JSON.stringify(relay[1]), { status: relay[0], headers }))
    }
    const created = url === '/api/token' && init?.method === 'POST' ? { id: 8, key: KEY } : undefined
    const found = created ? ([url, created] as const) : data.find(([path]) => url.startsWith(path))
    const isFound = found !== undefined && found[1] !== undefined
    const body = isFound
      ? { success: true, message: '', data: found[1] }
      : { success: false, message: 'down' }
    return Promise.resolve(new Response(JSON.stringify(body), { status: isFound ? 200 : 400 }))
  })
  return sent
}

function show(address = '/connect') {
  const router = createRouter({
    routeTree: createRootRoute({ component: ConnectPage }),
    history: createMemoryHistory({ initialEntries: [address] }),
    parseSearch,
    stringifySearch,
  })
  render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
}

const button = (name: string) => screen.findByRole('button', { name })
/** All blocks on the page. */
const blocks = () => [...document.querySelectorAll('pre')].map((each) => each.textContent ?? '').join('\n')

beforeEach(() => {
  signIn(user)
  written.length = 0
  const clipboard = { writeText: (text: string) => Promise.resolve(void written.push(text)) }
  Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true })
})

afterEach(() => {
  vi.unstubAllGlobals()
  queryClient.clear()
  signOut()
})

it('a block has the address and a fitting model, and the key only when it is copied or shown', async () => {
  const sent = serve({})
  show()
  await button('Claude Code')
  expect(blocks()).toContain('"ANTHROPIC_BASE_URL": "http://localhost')
  expect(blocks()).toContain('"ANTHROPIC_MODEL": "claude-sonnet-4-5"')
  expect(blocks()).toContain('"ANTHROPIC_AUTH_TOKEN": "sk-…"')
  expect(sent.filter(({ path }) => path.endsWith('/key'))).toEqual([])

  fireEvent.click(await button('Copy'))
  await vi.waitFor(() => expect(written).toHaveLength(1))
  expect(written[0]).toContain(`"ANTHROPIC_AUTH_TOKEN": "${KEY}"`)
  expect(blocks()).not.toContain(KEY)

  fireEvent.click(await button('Show key'))
  await vi.waitFor(() => expect(blocks()).toContain(KEY))
  fireEvent.click(await button('Hide key'))
  expect(blocks()).not.toContain(KEY)
})

it('another client has its own blocks, and its form can be chosen', async () => {
  serve({})
  show('/connect?client=codex')
  fireEvent.click(await button('WebSocket'))
  await vi.waitFor(() => expect(blocks()).toContain('supports_websockets = true'))
  expect(blocks()).toContain('model = "gpt-5.2"')
  expect(blocks()).toContain("export GATEWAY_API_KEY='sk-…'")
  fireEvent.click(await button('Windows (PowerShell)'))
  expect(blocks()).toContain("$env:GATEWAY_API_KEY = 'sk-…'")
  fireEvent.click(await button('Cursor'))
  const place = await screen.findByText('Override OpenAI Base URL')
  const row = place.closest('div')
  if (row === null) throw new Error('the field is not in a row')
  fireEvent.click(within(row).getByRole('button', { name: 'Copy' }))
  await vi.waitFor(() => expect(written.at(-1)).toMatch(/^http:\/\/localhost.*\/v1$/))
})

it('a test call is sent with the token alone and shows answer, time, cost and the log row', async () => {
  const sent = serve({ relay: [200, { content: [{ type: 'text', text: 'Hello there, nice to meet' }] }] })
  show()
  fireEvent.click(await button('Send a test call'))
  await screen.findByText('Hello there, nice to meet')
  await screen.findByText('$0.000500')
  const call = sent.find(({ path }) => path === '/v1/messages')
  expect(call?.init).toMatchObject({ credentials: 'omit', headers: { 'x-api-key': KEY } })
  expect(JSON.stringify(call?.init?.body)).toContain('claude-sonnet-4-5')
  const link = await screen.findByRole('link', { name: 'See the call in the usage log' })
  expect(link.getAttribute('href')).toContain('request_id=call-1')
})

it.each([
  [401, 'The token is not valid', 'Go to API tokens'],
  [403, 'quota is too small', 'Go to API tokens'],
  [503, 'No provider answered', undefined],
] as const)('a refusal with %s says what to do', async (status, advice, link) => {
  serve({ relay: [status, { error: { message: 'The sentence of the gateway' } }] })
  show('/connect?client=curl')
  fireEvent.click(await button('Send a test call'))
  await screen.findByText(`Refused with status ${status}`)
  expect(screen.getByText('The sentence of the gateway')).toBeTruthy()
  expect(screen.getByText(new RegExp(advice))).toBeTruthy()
  if (link !== undefined) expect(screen.getByRole('link', { name: link })).toBeTruthy()
})

it('the page says that the test does not reach an address of the settings that is not its own', async () => {
  serve({ address: 'https://gate.example/' })
  show()
  await screen.findByText(/does not show whether https:\/\/gate.example can be reached/)
  expect(blocks()).toContain('"https://gate.example"')
})

it('without a token the page offers to create one, and the test waits for it', async () => {
  serve({ tokens: [] })
  show()
  await screen.findByText('You have no token yet.')
  expect((await button('New token')).className).toMatch(/primary/)
  expect((await button('Send a test call')).hasAttribute('disabled')).toBe(true)
})

it('a new token is named after the program, limited, and chosen', async () => {
  const sent = serve({ tokens: [token, { ...token, id: 8, name: 'Codex', key: 'new***key' }] })
  show('/connect?client=codex')
  expect((await screen.findByRole('combobox', { name: 'Token' })).textContent).toContain('laptop')
  fireEvent.click(await button('New token'))
  expect((await screen.findByLabelText<HTMLInputElement>(/^Name/)).value).toBe('Codex')
  fireEvent.click(await button('Create'))
  await vi.waitFor(() => {
    const made = sent.find(({ path, init }) => path === '/api/token' && init?.method === 'POST')
    expect(JSON.parse(JSON.stringify(made?.init?.body ?? ''))).toContain('"remain_quota":500000')
  })
  await vi.waitFor(() =>
    expect(screen.getByRole('combobox', { name: 'Token' }).textContent).toContain('Codex · sk-new***key'),
  )
})

it('without a model the page says whom to ask', async () => {
  serve({ models: [] })
  show()
  await screen.findByText('Ask the operator of this site to offer a model to your group.')
})

it('a failure of the tokens is shown with a retry', async () => {
  serve({ tokens: undefined, models: [] })
  vi.stubGlobal('fetch', () =>
    Promise.resolve(new Response(JSON.stringify({ success: false, message: 'down' }), { status: 400 })),
  )
  show()
  await screen.findByText('down')
  expect(await button('Try again')).toBeTruthy()
})
