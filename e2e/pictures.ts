import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Locator, type Page } from 'playwright-core'
import { openVendor } from '../apps/server/test/agents/vendor/open-vendor.ts'
import { type Gateway, startGateway } from './support/gateway.ts'
import { send, setOptions, signIn, signInAs } from './support/seed.ts'

/** Takes the pictures of the guides: a gateway with a few sessions of agents, in light mode and English. */

const FOLDER = join(import.meta.dirname, '../docs/images')
const BYTES_MAX = 150_000
const ACCOUNT = { username: 'operator', password: 'first-password' }
const MODELS = { openai: 'gpt-5.2', anthropic: 'claude-sonnet-4-5', gemini: 'gemini-3-pro' } as const
/** By the name of the picture: what the address of the page Connect says after `?client=`. */
const CLIENTS: Readonly<Record<string, string>> = {
  'connect-claude-code': `claude-code&model=${MODELS.anthropic}`,
  'connect-codex': `codex&model=${MODELS.openai}`,
  'connect-codex-websocket': `codex&variant=websocket&model=${MODELS.openai}`,
  'connect-gemini-cli': `gemini-cli&model=${MODELS.gemini}`,
  'connect-opencode': `opencode&model=${MODELS.openai}`,
  'connect-qwen-code': `qwen-code&model=${MODELS.openai}`,
  'connect-cursor': `cursor&model=${MODELS.openai}`,
  'connect-cline': `cline&model=${MODELS.openai}`,
  'connect-cherry-studio': `cherry-studio&model=${MODELS.openai}`,
  'connect-langchain': `langchain&model=${MODELS.openai}`,
}
const MARGIN = 16
const CODEX_TURNS = 6
const INSTRUCTIONS = 'You work in a repository and change files with tools. '.repeat(400)
/** Higher than any settings, so that nothing has to be scrolled. */
const tall = { width: 1_440, height: 1_600 }
/** Set by `npm test` as well. */
const executablePath = process.env['TOLLGATE_BROWSER'] ?? '/usr/bin/chromium'

const vendors = {
  openai: await openVendor('openai', { folder: FOLDER }),
  anthropic: await openVendor('anthropic', { folder: FOLDER }),
  gemini: await openVendor('gemini', { folder: FOLDER }),
}
const gateway = await startGateway()
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
try {
  mkdirSync(FOLDER, { recursive: true })
  await seed(gateway)
  const context = await browser.newContext({
    baseURL: gateway.url,
    viewport: tall,
    colorScheme: 'light',
    locale: 'en-US',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await signInAs(page, ACCOUNT)
  await takeAll(page)
} finally {
  await browser.close()
  await gateway.stop()
  for (const vendor of Object.values(vendors)) await vendor.close()
}

async function takeAll(page: Page): Promise<void> {
  for (const [name, client] of Object.entries(CLIENTS)) {
    await page.goto(`/connect?client=${client}`)
    const settings = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Settings' }) })
    await settings.waitFor()
    await take(page, { name, from: page.locator('main h1'), to: settings })
  }
  await page.goto('/session')
  const rows = page.locator('main').getByRole('row')
  await rows.nth(2).waitFor()
  await take(page, { name: 'sessions', from: page.locator('main h1'), to: rows.last() })
  await rows.filter({ hasText: 'codex' }).getByRole('button').first().click()
  await rows.nth(CODEX_TURNS + 3).waitFor()
  await take(page, { name: 'session-calls', from: page.locator('main h1'), to: rows.last() })
}

/** The part of the page between two elements, as wide as the page's content. */
async function take(
  page: Page,
  { name, from, to }: { readonly name: string; readonly from: Locator; readonly to: Locator },
): Promise<void> {
  await page.evaluate(() => document.fonts.ready.then(() => undefined))
  await sleep(300)
  const [first, last] = [await from.boundingBox(), await to.boundingBox()]
  if (first === null || last === null) throw new Error(`${name}: nothing to see`)
  const x = Math.max(0, Math.min(first.x, last.x) - MARGIN)
  const y = Math.max(0, first.y - MARGIN)
  const right = Math.min(tall.width, Math.max(first.x + first.width, last.x + last.width) + MARGIN)
  const bottom = Math.min(tall.height, last.y + last.height + MARGIN)
  const path = join(FOLDER, `${name}.png`)
  await page.screenshot({ path, clip: { x, y, width: right - x, height: bottom - y } })
  const { size } = statSync(path)
  process.stdout.write(`${name}.png ${Math.round(size / 1000)} KB\n`)
  if (size > BYTES_MAX) throw new Error(`${name}.png is larger than ${BYTES_MAX / 1000} KB`)
}

async function seed({ url }: Gateway): Promise<void> {
  const flags = { SelfUseModeEnabled: true, DemoSiteEnabled: false }
  const { username, password } = ACCOUNT
  await send(url, '/api/setup', { body: { username, password, confirmPassword: password, ...flags } })
  const headers = await signIn(url, ACCOUNT)
  const channels = [
    { type: 1, name: 'OpenAI', base_url: vendors.openai.url, models: `${MODELS.openai},qwen3-coder-plus` },
    { type: 14, name: 'Anthropic', base_url: vendors.anthropic.url, models: MODELS.anthropic },
    { type: 24, name: 'Google', base_url: vendors.gemini.url, models: MODELS.gemini },
  ]
  for (const channel of channels)
    await send(url, '/api/channel/', { headers, body: { ...channel, key: 'sk-upstream', group: 'default' } })
  await setOptions(url, headers, { ServerAddress: 'https://gateway.example.com' })
  const { key } = await send<{ key: string }>(url, '/api/token/', {
    headers,
    body: { name: 'laptop', unlimited_quota: true },
  })
  const ask = agentOn(url, `Bearer sk-${key}`)
  for (let turn = 1; turn <= CODEX_TURNS; turn++) await ask('codex_cli_rs/0.169.0', codexCall(turn))
  for (let turn = 1; turn <= 4; turn++) await ask('claude-cli/2.1.40 (external, cli)', claudeCall(turn))
}

interface AgentCall {
  readonly path: string
  readonly session: string
  readonly body: object
}

function agentOn(url: string, authorization: string) {
  return async (agent: string, { path, session, body }: AgentCall): Promise<void> => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: {
        authorization,
        'content-type': 'application/json',
        'user-agent': agent,
        'x-session-id': session,
        'anthropic-version': '2023-06-01',
      },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    await answer.text()
  }
}

function codexCall(turn: number): AgentCall {
  const input = Array.from({ length: turn }, (_, index) => ({
    type: 'message',
    role: 'user',
    content: [{ type: 'input_text', text: `Step ${index + 1}: go on with the task. `.repeat(20) }],
  }))
  const body = { model: MODELS.openai, instructions: INSTRUCTIONS, input, store: false, stream: true }
  return { path: '/v1/responses', session: 'codex-session', body }
}

function claudeCall(turn: number): AgentCall {
  const cache_control = { type: 'ephemeral' }
  const text = Array.from({ length: turn }, (_, index) => `Step ${index + 1}: go on with the task. `).join('')
  const messages = [{ role: 'user', content: [{ type: 'text', text, cache_control }] }]
  const system = [{ type: 'text', text: INSTRUCTIONS, cache_control }]
  const body = { model: MODELS.anthropic, max_tokens: 500, system, messages, stream: true }
  return { path: '/v1/messages', session: 'claude-session', body }
}
