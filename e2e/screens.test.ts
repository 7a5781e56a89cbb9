import { gzipSync } from 'node:zlib'
import { startFakeUpstream, type FakeUpstream } from '@tollgate/testkit/fake-upstream'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seriousViolations } from './support/axe.ts'
import { desktop, phone, visit, type Visit } from './support/browser.ts'
import { startGateway, type Gateway } from './support/gateway.ts'
import { endVisits, launchBrowser } from './support/launch.ts'
import { layoutShift, SHIFT_MAX, watchShifts } from './support/layout-shift.ts'
import { seedSite, send, setOptions, signIn, signInAs, type Site } from './support/seed.ts'

/**
 * Every screen in both themes, both languages and both widths: nothing may break, overflow or be
 * inaccessible. Each is loaded in two of these looks; there the theme and the width change in place.
 */
const publicScreens = [
  '/',
  '/login',
  '/register',
  '/reset',
  '/user/reset?email=ada@gate.example&token=abc',
  '/user/undo-email?token=abc',
  '/user/signed-in',
  '/about',
  '/pricing',
  '/pricing/model?name=gpt-4o',
  '/oauth/nowhere',
  '/no-such-page',
]
const ownScreens = [
  '/personal',
  '/channel',
  '/token',
  '/connect',
  '/topup',
  '/redemption',
  '/log',
  '/session',
  '/detail',
  '/midjourney',
  '/task',
  '/playground',
  '/chat/0',
  '/user',
  '/audit',
  '/job',
  '/operations',
]
/** Screens with a panel open; tested once for each width. */
const openedScreens = [
  '/topup?month=2026-11',
  '/user?user=1&tab=balance',
  '/user?user=2',
  '/user/edit/1',
  '/connect?client=codex&variant=websocket',
  '/connect?client=cursor',
  '/setting?tab=other&history=all',
  '/channel/add',
  '/channel/edit/1',
]

/** Dialogs, by the buttons that open them. */
const dialogs = [
  { at: '/channel', press: ['New channel'] },
  { at: '/channel', press: ['New channel', 'Routing and overrides', 'Choose models'] },
  { at: '/channel', press: ['Why this channel?'] },
  { at: '/channel', press: ['Columns'] },
  { at: '/channel', press: ['All channels', 'Test all'] },
  { at: '/channel', press: ['More actions', 'Keys…'] },
  { at: '/channel', press: ['More actions', 'Test a model…'] },
  { at: '/token', press: ['New token'] },
  { at: '/connect', press: ['New token'] },
  { at: '/redemption', press: ['New codes'] },
  { at: '/redemption', press: ['Clean up', 'Delete codes by name'] },
  { at: '/setting?tab=operation', press: ['Add a model'] },
  { at: '/topup', press: ['Statement'] },
]

let gateway: Gateway
let upstream: FakeUpstream
let browser: Browser
let site: Site

beforeAll(async () => {
  ;[gateway, upstream, browser] = await Promise.all([startGateway(), startFakeUpstream(), launchBrowser()])
  site = await seedSite(gateway.url, upstream.url)
  const { username, password } = site
  const headers = await signIn(gateway.url, { username, password })
  const person = { username: '诸葛孔明与司马仲达论天下', password: 'second-password' }
  await send(gateway.url, '/api/user/', { headers, body: person })
})

afterAll(async () => {
  await endVisits(browser)
  await upstream?.close()
  await gateway?.stop()
})

describe.each([
  { viewport: desktop, scheme: 'light', language: 'zh' },
  { viewport: phone, scheme: 'dark', language: 'en' },
] as const)('$viewport.width px, $language', ({ scheme, ...look }) => {
  const otherViewport = look.viewport === phone ? desktop : phone
  let visitor: Visit
  let operator: Visit
  beforeAll(async () => {
    ;[visitor, operator] = await Promise.all([
      visit(browser, { url: gateway.url, scheme, ...look }),
      visit(browser, { url: gateway.url, scheme, ...look }),
    ])
    await Promise.all([watchShifts(visitor.page), watchShifts(operator.page)])
    await signInAs(operator.page, site)
  })
  afterAll(async () => {
    await visitor?.close()
    await operator?.close()
  })

  /** Loads the screen once, and then also looks at it in the other theme and at the other width. */
  async function checkLooks(person: Visit, path: string, checkLoaded = checkWhole): Promise<void> {
    const { page, complaints, settled } = person
    const before = complaints.length
    await checkLoaded(person, path, look.language)
    await checkTheme(person)
    try {
      await page.setViewportSize(otherViewport)
      await settled()
      expect(await overflow(page), `pixels wider than ${otherViewport.width}`).toBeLessThanOrEqual(0)
      expect(complaints.slice(before)).toEqual([])
    } finally {
      await page.setViewportSize(look.viewport)
    }
  }

  it.each(publicScreens)('%s works for a visitor', (path) => checkLooks(visitor, path))
  it.each(ownScreens)('%s works for the operator', (path) => checkLooks(operator, path))
  it('every tab of the settings works', async () => {
    await operator.page.goto('/setting')
    await operator.page.getByRole('tab').first().waitFor()
    const tabs = await operator.page.locator('[data-node-key]').all()
    const keys = await Promise.all(tabs.map((tab) => tab.getAttribute('data-node-key')))
    expect(keys.length).toBeGreaterThan(1)
    for (const key of new Set(keys)) await checkLooks(operator, `/setting?tab=${key}`, check)
  })
})

describe.each([
  { viewport: desktop, scheme: 'light' },
  { viewport: phone, scheme: 'dark' },
] as const)('at $viewport.width px, $scheme', (look) => {
  let operator: Visit
  beforeAll(async () => {
    operator = await visit(browser, { url: gateway.url, ...look })
    await watchShifts(operator.page)
    await signInAs(operator.page, site)
  })
  afterAll(() => operator?.close())

  it.each(openedScreens)('%s works with its panel open', (path) => checkWhole(operator, path, 'en'))
  it.each(dialogs)('the dialog at $at works after pressing $press', async ({ at, press }) => {
    const { page, complaints, settled } = operator
    const before = complaints.length
    await page.goto(at)
    await settled()
    for (const name of press) {
      const button = page.getByRole('button', { name, exact: true })
      await button
        .or(page.getByRole('menuitem', { name, exact: true }))
        .last()
        .click()
      await settled()
    }
    await page.getByRole('dialog').last().waitFor()
    expect(await seriousViolations(page)).toEqual([])
    expect(complaints.slice(before)).toEqual([])
  })
})

it('a visitor finds a price, copies names, estimates the cost of calls and gets a code example', async () => {
  const visitor = await visit(browser, { url: gateway.url })
  const { page } = visitor
  await page.goto('/pricing')
  await page.getByText('You are not logged in').waitFor()
  await page.getByLabel('Search').fill('g4omini')
  await page.getByRole('button', { name: 'gpt-4o', exact: true }).waitFor({ state: 'detached' })
  await page.getByRole('checkbox').last().check()
  await page.getByRole('button', { name: 'Copy selected (1)' }).click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('gpt-4o-mini')
  await page.getByRole('button', { name: 'How ratios work' }).click()
  await page.getByRole('dialog').getByText('An example').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await page.getByRole('link', { name: 'Details of gpt-4o-mini' }).click()
  await page.getByRole('heading', { level: 1, name: 'gpt-4o-mini' }).waitFor()
  await page.getByLabel('Input', { exact: true }).fill('1000000')
  await page.getByLabel('Output', { exact: true }).fill('0')
  await page.getByLabel('Calls').fill('2')
  await page.getByText('$0.300000').waitFor()
  await page.getByRole('button', { name: 'Python' }).click()
  await page.getByText('model="gpt-4o-mini"').waitFor()
  expect(visitor.complaints).toEqual([])
  await visitor.close()
})

it('a chat link gets the key only after confirmation, and a broken link is reported', async () => {
  const operator = await visit(browser, { url: gateway.url })
  const { page } = operator
  await signInAs(page, site)
  const chats = [{ 'Fine chat': 'https://chat.example/#{"key":"{key}"}' }, { Broken: 'not an address' }]
  const headers = await signIn(gateway.url, { username: site.username, password: site.password })
  await setOptions(gateway.url, headers, { Chats: JSON.stringify(chats) })
  await page.route('https://chat.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<p>the chat of another</p>' }),
  )
  await page.goto('/chat/1')
  await page.getByText('not configured correctly').waitFor()
  // A chat takes the whole width; the side menu is on the other pages.
  await page.goto('/token')
  await page.getByRole('button', { name: 'Chat', exact: true }).click()
  await page.getByRole('link', { name: 'Fine chat' }).click()
  await page.getByText('chat.example').waitFor()
  expect(operator.complaints).toEqual([]) // From here on the other site may log errors of its own.
  await page.getByRole('button', { name: 'Open Fine chat' }).click()
  await page.frameLocator('iframe').getByText('the chat of another').waitFor()
  expect(await page.locator('iframe').getAttribute('src')).toBe(
    `https://chat.example/#{"key":"sk-${site.key}"}`,
  )
  await page.goto('/chat2link')
  await page.waitForURL('https://chat.example/**')

  await page.goto('/log')
  await page.getByRole('button', { name: 'Fold the menu' }).click()
  const opener = page.getByRole('button', { name: 'Chat', exact: true })
  await opener.focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => opener.getAttribute('aria-expanded')).toBe('true')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Fine chat' }).waitFor({ state: 'hidden' })
  await opener.click()
  await page.getByRole('link', { name: 'Fine chat' }).click()
  await page.waitForURL('**/chat/0')
  await opener.waitFor({ state: 'detached' })

  await page.setViewportSize(phone)
  await page.goto('/log')
  await page.getByRole('button', { name: 'Open the menu' }).click()
  const drawer = page.getByRole('dialog', { name: 'Pages' })
  // The menu was left open on the desktop, so it is open here too.
  await drawer.getByRole('button', { name: 'Chat', exact: true }).click()
  await drawer.getByRole('link', { name: 'Fine chat' }).waitFor({ state: 'hidden' })
  await page.reload()
  await page.getByRole('button', { name: 'Open the menu' }).click()
  await drawer.getByRole('button', { name: 'Chat', exact: true }).click()
  await drawer.getByRole('link', { name: 'Fine chat' }).click()
  await drawer.waitFor({ state: 'hidden' })
  await page.waitForURL('**/chat/0')
  await operator.close()
})

it('a phone shows below the site name that the site is for self-use', async () => {
  const headers = await signIn(gateway.url, { username: site.username, password: site.password })
  await setOptions(gateway.url, headers, { SelfUseModeEnabled: 'true' })
  const visitor = await visit(browser, { url: gateway.url, viewport: phone })
  await visitor.page.goto('/')
  await visitor.page.getByRole('banner').getByText('Self-use').filter({ visible: true }).waitFor()
  await setOptions(gateway.url, headers, { SelfUseModeEnabled: 'false' })
  await visitor.close()
})

const SCRIPT_BYTES_MAX = 250_000

it.each(['/', '/login', '/register', '/reset'])(
  'a first visit to %s stays within its script budget',
  async (path) => {
    const visitor = await visit(browser, { url: gateway.url })
    const scripts: Promise<Buffer>[] = []
    visitor.page.on('response', (response) => {
      if (new URL(response.url()).pathname.endsWith('.js')) scripts.push(response.body())
    })
    await visitor.page.goto(path)
    await visitor.page.getByRole('heading', { level: 1 }).waitFor()
    await visitor.settled()
    const sizes = (await Promise.all(scripts)).map((body) => gzipSync(body, { level: 9 }).length)
    expect(sizes.length).toBeGreaterThan(1)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(SCRIPT_BYTES_MAX)
    await visitor.close()
  },
)

/** Responses that arrive late on a phone; the page must not shift when they do. */
const lateAnswers = [
  { at: '/channel/add', answer: '**/api/channel/types' },
  { at: '/channel/edit/1', answer: '**/api/channel/types' },
  { at: '/channel/edit/1', answer: '**/api/channel/1' },
  { at: '/user?user=2', answer: '**/api/user/2' },
]

it.each(lateAnswers)('$at does not shift when $answer comes late', async ({ at, answer }) => {
  const visitor = await visit(browser, { url: gateway.url, viewport: phone })
  const { page } = visitor
  await watchShifts(page)
  await signInAs(page, site)
  let held = 0
  await page.route(answer, async (route) => {
    held++
    await page.getByRole('dialog').waitFor()
    await layoutShift(page) // Waits until it is painted.
    await route.continue()
  })
  await page.goto(at)
  await page.getByRole('dialog').waitFor()
  await visitor.settled()
  expect(held).toBeGreaterThan(0)
  expect(await layoutShift(page)).toBeLessThan(SHIFT_MAX)
  await visitor.close()
})

it('layout shifts and low contrast are detected by the checks', async () => {
  const visitor = await visit(browser, { url: gateway.url })
  const { page } = visitor
  await watchShifts(page)
  await checkWhole(visitor, '/about', 'en')
  await page.evaluate(() => {
    const late = document.createElement('p')
    late.style.cssText = 'height: 300px; color: #ccc; background: #fff'
    late.textContent = 'Late and pale'
    document.querySelector('main')?.prepend(late)
  })
  await expect.poll(() => layoutShift(page)).toBeGreaterThan(SHIFT_MAX)
  expect(await seriousViolations(page)).toEqual([expect.stringContaining('color-contrast')])
  await visitor.close()
})

/** Checks a page including the layout shift while its parts load. */
async function checkWhole(visitor: Visit, path: string, language: 'en' | 'zh'): Promise<void> {
  await check(visitor, path, language)
  expect(await layoutShift(visitor.page), 'how far things moved while they came').toBeLessThan(SHIFT_MAX)
}

async function check(visitor: Visit, path: string, language: 'en' | 'zh'): Promise<void> {
  const { page, complaints } = visitor
  const complainedBefore = complaints.length
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await visitor.settled() // The contrast of a colour in transition would be wrong.

  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
  expect(await page.evaluate(() => document.documentElement.lang)).toMatch(language)
  expect(await overflow(page), 'pixels wider than the window').toBeLessThanOrEqual(0)
  expect(await seriousViolations(page)).toEqual([])
  expect(complaints.slice(complainedBefore)).toEqual([])
}

/** Switches the theme as the system does, and leaves it for the next page. */
async function checkTheme({ page, settled }: Visit): Promise<void> {
  const scheme = await page.evaluate(() =>
    matchMedia('(prefers-color-scheme: dark)').matches ? 'light' : 'dark',
  )
  await page.emulateMedia({ colorScheme: scheme })
  await settled()
  expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe(scheme)
  expect(await seriousViolations(page, ['color-contrast']), scheme).toEqual([])
}

/** How many pixels the page is wider than the window. */
const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
