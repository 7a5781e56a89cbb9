import { startFakeUpstream, type FakeUpstream } from '@tollgate/testkit/fake-upstream'
import OpenAI from 'openai'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { visit } from './support/browser.ts'
import { type Gateway, startGatewayProcess } from './support/gateway.ts'
import { endVisits, launchBrowser } from './support/launch.ts'

/**
 * The main task from start to end: an empty database, the setup page, a channel, a token, a streamed call
 * with the official client, and the exact charge in the usage log.
 */
const operator = { username: 'operator', password: 'first-password' }

let gateway: Gateway
let upstream: FakeUpstream
let browser: Browser

beforeAll(async () => {
  ;[gateway, upstream, browser] = await Promise.all([
    startGatewayProcess(),
    startFakeUpstream(),
    launchBrowser(),
  ])
})

afterAll(async () => {
  await endVisits(browser)
  await upstream?.close()
  await gateway?.stop()
})

it('a user gets from an empty database to a billed call', async () => {
  const visitor = await visit(browser, { url: gateway.url })
  const { page } = visitor

  await setUp(page)
  await addChannel(page)
  await testChannel(page)
  const key = await makeToken(page)
  const usage = await streamChat(key)
  await seeTheCharge(page, usage)
  await askInPlayground(page)
  await connectProgram(page, key)

  expect(visitor.complaints).toEqual([])
  await visitor.close()
})

async function setUp(page: Page): Promise<void> {
  await page.goto('/')
  await page.waitForURL('**/setup')
  await page.getByLabel('Username', { exact: true }).fill(operator.username)
  await page.getByLabel('Password', { exact: true }).fill(operator.password)
  await page.getByLabel('Password again').fill(operator.password)
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByRole('link', { name: 'Add your first channel' }).click()

  await page.waitForURL('**/channel')
}

async function addChannel(page: Page): Promise<void> {
  await page.getByText('No channels yet').waitFor()
  await page.getByRole('button', { name: 'New channel' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel(/^Name/).fill('Fake upstream')
  await form.getByLabel(/^Key/).fill('sk-upstream-secret')
  await form.getByLabel('Base URL').fill(upstream.url)
  await form.getByRole('button', { name: 'Ask the upstream' }).click()
  await page.getByText(/The upstream lists \d+ models?/).waitFor()
  await page.getByRole('button', { name: /^Use \d+/ }).click()
  await form.getByRole('button', { name: 'Create' }).click()
  await page.getByText('Channel created').waitFor()
  await page.getByRole('cell', { name: 'Fake upstream', exact: true }).waitFor()
}

async function testChannel(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await page.getByText(/“Fake upstream” answered in/).waitFor()
}

/** Creates a token in the console and reads its key from the page. */
async function makeToken(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'API tokens' }).click()
  await page.getByRole('button', { name: 'New token' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel(/^Name/).fill('first program')
  await form.getByRole('button', { name: 'Create' }).click()
  const shown = page.getByRole('dialog').locator('pre')
  await shown.waitFor()
  const key = (await shown.textContent())?.trim() ?? ''
  expect(key).toMatch(/^sk-[0-9A-Za-z]{48}$/)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('cell', { name: 'first program' }).waitFor()
  return key
}

interface Streamed {
  readonly text: string
  readonly inputTokens: number
  readonly outputTokens: number
}

async function streamChat(key: string): Promise<Streamed> {
  const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: key, maxRetries: 0 })
  const stream = await client.chat.completions.create({
    model: 'gpt-4o',
    messages: [{ role: 'user', content: 'What does the toll cost?' }],
    stream: true,
    stream_options: { include_usage: true },
  })
  let text = ''
  let usage: { prompt_tokens: number; completion_tokens: number } | undefined
  for await (const chunk of stream) {
    text += chunk.choices[0]?.delta.content ?? ''
    usage = chunk.usage ?? usage
  }
  expect(text).not.toBe('')
  return { text, inputTokens: usage?.prompt_tokens ?? 0, outputTokens: usage?.completion_tokens ?? 0 }
}

/** gpt-4o by default: ratio 1.25, completion ratio 4; 500,000 units a dollar. */
async function seeTheCharge(page: Page, usage: Streamed): Promise<void> {
  const units = Math.round((usage.inputTokens + usage.outputTokens * 4) * 1.25)
  const dollars = `$${(units / 500_000).toFixed(6)}`
  await page.getByRole('link', { name: 'Usage log' }).click()
  const row = page.getByRole('row').filter({ hasText: 'gpt-4o' }).filter({ hasText: 'first program' })
  await row.getByText(dollars).waitFor()
  await row.getByRole('button', { name: 'Show details' }).click()
  await page
    .getByText(/Receipt/)
    .first()
    .waitFor()
  await page.getByText(`${units} units`, { exact: false }).first().waitFor()
}

async function askInPlayground(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Playground' }).click()
  await page.getByPlaceholder(/Ask something/).fill('Hello')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText(/\d+ in · \d+ out/).waitFor()
}

/** Copies the settings of a program with the key in them, and tests them with a real call. */
async function connectProgram(page: Page, key: string): Promise<void> {
  await page.getByRole('link', { name: 'Connect', exact: true }).click()
  await page.getByRole('button', { name: 'curl', exact: true }).click()
  await page.getByText(`curl '${gateway.url}`).waitFor()
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain(key)
  await page.getByRole('button', { name: 'Send a test call' }).click()
  await page.getByText('It works').waitFor()
  await page.getByRole('link', { name: 'See the call in the usage log' }).click()
  await page.getByRole('row').filter({ hasText: 'first program' }).waitFor()
}
