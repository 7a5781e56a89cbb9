import { openTcpProxy, type TcpProxy } from '@tollgate/testkit/tcp-proxy'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { phone, visit, type Visit } from './support/browser.ts'
import { type ChatUpstream, CODE, startChatUpstream } from './support/chat-upstream.ts'
import { type Gateway, startGateway } from './support/gateway.ts'
import { endVisits, launchBrowser } from './support/launch.ts'
import { seedSite, signInAs, type Site } from './support/seed.ts'

/** Conversations in the playground: every kind of content, and every way a response can end. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

let gateway: Gateway
let upstream: ChatUpstream
let network: TcpProxy
let browser: Browser
let site: Site
let visitor: Visit
let page: Page

beforeAll(async () => {
  ;[gateway, upstream, browser] = await Promise.all([startGateway(), startChatUpstream(), launchBrowser()])
  site = await seedSite(gateway.url, upstream.url)
  // A proxy between browser and gateway whose connections can be cut.
  network = await openTcpProxy({ host: '127.0.0.1', port: Number(new URL(gateway.url).port) })
  visitor = await visit(browser, { url: `http://127.0.0.1:${network.port}` })
  page = visitor.page
  await signInAs(page, site)
})

afterAll(async () => {
  await endVisits(browser)
  await network?.close()
  await upstream?.close()
  await gateway?.stop()
})

beforeEach(async () => {
  await page.goto('/playground')
  await composer().waitFor()
  const clear = page.getByRole('button', { name: 'Clear context' })
  if (await clear.isDisabled()) return
  await clear.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Clear context' }).click()
  await page.getByText('What would you like to try?').waitFor()
})

const composer = () => page.getByLabel('Ask something. Enter sends')
const answers = () => page.getByRole('article', { name: 'Answer' })
const button = (name: string, within: Page | Locator = page) =>
  within.getByRole('button', { name, exact: true })

async function ask(text: string): Promise<Locator> {
  const before = await answers().count()
  await composer().fill(text)
  await composer().press('Enter')
  await answers().nth(before).waitFor()
  return answers().nth(before)
}

const ended = (answer: Locator) => button('Retry', answer).waitFor()
const rolesSent = () => upstream.asked.at(-1)?.messages.map(({ role }) => role)
const clipboard = () => page.evaluate(() => navigator.clipboard.readText())

it('a response shows its usage and cost, links to its receipt, and is kept after a reload', async () => {
  const answer = await ask('Hello there')
  await answer.getByText('You said').waitFor()
  await answer.getByText('1,200 in · 345 out').waitFor()
  // 1,200 × $0.15 and 345 × $0.60 per million are 193.5 units: 194.
  const cost = answer.getByRole('link', { name: '$0.000388' })
  await cost.waitFor()

  await page.reload()
  await answers().first().getByText('You said').waitFor()
  await answers().first().getByText('1,200 in · 345 out').waitFor()
  expect(await answers().count()).toBe(1)
  await ask('And now?')
  await expect.poll(rolesSent).toEqual(['system', 'user', 'assistant', 'user'])

  await answers().first().getByRole('link', { name: '$0.000388' }).click()
  await page.getByText('Computed again here: the same amount.').waitFor()
  expect(visitor.complaints).toEqual([])
})

it('formulas are rendered but prices are not, and code is copied unchanged and never executed', async () => {
  const sum = await ask('scene: formula')
  await ended(sum)
  expect(await sum.locator('.katex').count()).toBe(1)
  await sum.getByText('an apple costs $5.').waitFor()

  const code = await ask('scene: code')
  await ended(code)
  expect(await code.locator('pre .hljs-keyword').count()).toBeGreaterThan(0)
  await button('Copy code', code).click()
  await expect.poll(clipboard).toContain(CODE)
  expect(await code.locator('img, script').count()).toBe(0)
  await button('Copy', code).click()
  await expect.poll(clipboard).toContain('```ts')
  expect(visitor.complaints).toEqual([])
})

it('an external image is loaded only on request', async () => {
  const loaded: string[] = []
  await page.route('https://pictures.example/**', async (route) => {
    loaded.push(`${route.request().url()} ${route.request().headers()['referer'] ?? 'no referrer'}`)
    await route.fulfill({ contentType: 'image/png', body: PIXEL })
  })
  const answer = await ask('scene: picture')
  await ended(answer)
  await answer.getByRole('img', { name: 'a dot' }).waitFor()
  await answer.getByText('Picture from pictures.example').waitFor()
  await visitor.settled()
  expect(loaded).toEqual([])
  await button('Load picture', answer).focus()
  await page.keyboard.press('Enter')
  await answer.getByRole('img', { name: 'a map of the town' }).waitFor()
  expect(loaded).toEqual(['https://pictures.example/map.png?q=what-was-said no referrer'])
  await page.unroute('https://pictures.example/**')
  expect(visitor.complaints).toEqual([])
})

it('reasoning is collapsed, and tool calls are shown with their arguments', async () => {
  const thought = await ask('scene: think')
  await ended(thought)
  await thought.getByText('The left one.').waitFor()
  const reasoning = thought.getByText('First I weigh both sides.')
  expect(await reasoning.isVisible()).toBe(false)
  await thought.getByText('Reasoning', { exact: true }).click()
  expect(await reasoning.isVisible()).toBe(true)

  const tool = await ask('scene: tool')
  await tool.getByText('Wants to call get_weather').click()
  await tool.getByText('{"city":"Basel"}').waitFor()
  expect(visitor.complaints).toEqual([])
})

it('an image is attached and shown in the question, and a file of another type is refused by name', async () => {
  const field = page.locator('input[type=file]')
  await field.setInputFiles([
    { name: 'dot.png', mimeType: 'image/png', buffer: PIXEL },
    { name: 'page.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg onload="alert(1)"/>') },
  ])
  await page.getByText('page.svg is larger than 5 MB or no picture').waitFor()
  await button('Remove picture 1').waitFor()
  await ended(await ask('What is this?'))
  await page.getByRole('article', { name: 'Question' }).getByRole('img', { name: 'Picture 1' }).waitFor()
  const url = `data:image/png;base64,${PIXEL.toString('base64')}`
  expect(upstream.asked.at(-1)?.messages.at(-1)?.content).toEqual([
    { type: 'text', text: 'What is this?' },
    { type: 'image_url', image_url: { url } },
  ])
  expect(visitor.complaints).toEqual([])
})

it('a response can be stopped, retried, and its question edited', async () => {
  const slow = await ask('scene: slow')
  await slow.getByText('A beginning').waitFor()
  await button('Stop').click()
  await slow.getByText('You stopped this answer.').waitFor()
  await slow.getByText('A beginning').waitFor()

  const before = upstream.asked.length
  await button('Retry', slow).click()
  await expect.poll(() => upstream.asked.length).toBe(before + 1)
  await answers().first().getByText('A beginning').waitFor()
  await button('Stop').click()

  const question = page.getByRole('article', { name: 'Question' })
  await button('Edit', question).click()
  await page.getByRole('textbox', { name: 'Edit' }).fill('Something quicker')
  await button('Ask again').click()
  await answers().first().getByText('Something quicker').waitFor()
  await ended(answers().first())
  expect(await answers().count()).toBe(1)
  expect(visitor.complaints).toEqual([])
})

it('a broken stream is reported, and retried only when reconnecting is switched on', async () => {
  const broken = await ask('scene: slow')
  await broken.getByText('A beginning').waitFor()
  network.reset()
  await broken.getByRole('alert').getByText('Unable to connect to the server.').waitFor()
  await broken.getByText('A beginning').waitFor()

  const reconnects = page.getByRole('switch')
  await reconnects.click()
  const again = await ask('scene: slow')
  await again.getByText('A beginning').waitFor()
  const before = upstream.asked.length
  network.reset()
  await expect.poll(() => upstream.asked.length, { timeout: 20_000 }).toBe(before + 1)
  await again.getByText('A beginning').waitFor()
  await button('Stop').click()
  expect(await answers().count()).toBe(2)
  await reconnects.click()
})

it('on a phone the settings are collapsed until they are opened', async () => {
  await page.setViewportSize(phone)
  const settings = page.getByRole('complementary', { name: 'Settings' })
  await settings.waitFor({ state: 'detached' })
  await button('Settings').click()
  await settings.getByLabel('Model').waitFor()
  const slider = settings.getByRole('slider')
  expect([await slider.getAttribute('aria-valuemin'), await slider.getAttribute('aria-valuemax')]).toEqual([
    '0.1',
    '1',
  ])
  await button('Hide settings').click()
  await settings.waitFor({ state: 'detached' })
})
