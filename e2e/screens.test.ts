import { startFakeUpstream, type FakeUpstream } from '@tollgate/testkit/fake-upstream'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { seriousViolations } from './support/axe.ts'
import { follow, phone, visit, type Visit } from './support/browser.ts'
import { startGateway, type Gateway } from './support/gateway.ts'
import { endVisits, launchBrowser } from './support/launch.ts'
import { layoutShift, SHIFT_MAX, watchShifts } from './support/layout-shift.ts'
import { casesOf, isLong, type Look, oppositeOf, visitInLook, wear } from './support/looks.ts'
import { seedSite, send, setOptions, signIn, signInAs, type Site } from './support/seed.ts'

/**
 * Every screen in both themes, both languages and both widths: nothing may break, overflow or be
 * inaccessible. Each is loaded in one look, and then everything about the look changes in place; of tabs, panels
 * and dialogs the short form looks at one look each. The long form (`npm run test:walks`) loads each screen in
 * four looks.
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
/** Screens with a panel open. */
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
let visitor: Visit
let operator: Visit

beforeAll(async () => {
  ;[gateway, upstream, browser] = await Promise.all([startGateway(), startFakeUpstream(), launchBrowser()])
  site = await seedSite(gateway.url, upstream.url)
  const { username, password } = site
  const headers = await signIn(gateway.url, { username, password })
  const person = { username: '诸葛孔明与司马仲达论天下', password: 'second-password' }
  await send(gateway.url, '/api/user/', { headers, body: person })
  visitor = await visitInLook(browser, gateway.url)
  operator = await visitInLook(browser, gateway.url)
  await watchShifts(visitor.page)
  await watchShifts(operator.page)
  await signInAs(operator.page, site)
})

afterAll(async () => {
  await endVisits(browser)
  await upstream?.close()
  await gateway?.stop()
})

/** Loads the screen, and then also looks at it in the opposite look. */
async function checkLooks(person: Visit, path: string, look: Look): Promise<void> {
  await wear(person, look)
  await checkWhole(person, path, look.language)
  await checkChanged(person, oppositeOf(look))
}

async function checkChanged(person: Visit, look: Look): Promise<void> {
  await wear(person, look)
  await checkShown(person, look.language)
}

it.each(casesOf(publicScreens))(
  '$one works for a visitor from $look.viewport.width px, $look.language',
  ({ one, look }) => checkLooks(visitor, one, look),
)
it.each(casesOf(ownScreens))(
  '$one works for the operator from $look.viewport.width px, $look.language',
  ({ one, look }) => checkLooks(operator, one, look),
)
it('every tab of the settings works', async () => {
  const { page, settled } = operator
  await page.goto('/setting')
  await page.getByRole('tab').first().waitFor()
  const tabs = await page.locator('[data-node-key]').all()
  const keys = await Promise.all(tabs.map((tab) => tab.getAttribute('data-node-key')))
  expect(keys.length).toBeGreaterThan(1)
  for (const { one, look } of casesOf([...new Set(keys)])) {
    await wear(operator, look)
    await follow(page, `/setting?tab=${one}`)
    await page.locator(`.ant-tabs-tab-active[data-node-key=${one}]`).first().waitFor()
    await settled()
    await checkShown(operator, look.language)
    if (isLong) await checkChanged(operator, oppositeOf(look))
  }
})

/** Panels and dialogs are opened in English only, because the buttons are found by their names. */
const inEnglish = (look: Look): Look => ({ ...look, language: 'en' })

it.each(casesOf(openedScreens))(
  '$one works with its panel open from $look.viewport.width px',
  async ({ one, look }) => {
    await wear(operator, inEnglish(look))
    await checkWhole(operator, one, 'en')
    if (isLong) await checkChanged(operator, inEnglish(oppositeOf(look)))
  },
)

it.each(casesOf(dialogs))(
  'the dialog at $one.at works after pressing $one.press, from $look.viewport.width px',
  async ({ one: { at, press }, look }) => {
    const { page, settled } = operator
    await wear(operator, inEnglish(look))
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
    await checkShown(operator, 'en')
    if (isLong) await checkChanged(operator, inEnglish(oppositeOf(look)))
    await page.getByRole('dialog').last().waitFor()
  },
)

it('a visitor finds a price, copies names, estimates the cost of calls and gets a code example', async () => {
  const reader = await visit(browser, { url: gateway.url })
  const { page } = reader
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
  expect(reader.complaints).toEqual([])
  await reader.close()
})

it('a chat link gets the key only after confirmation, and a broken link is reported', async () => {
  const chatter = await visit(browser, { url: gateway.url })
  const { page } = chatter
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
  expect(chatter.complaints).toEqual([]) // From here on the other site may log errors of its own.
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
  await chatter.close()
})

it('a phone shows below the site name that the site is for self-use', async () => {
  const headers = await signIn(gateway.url, { username: site.username, password: site.password })
  await setOptions(gateway.url, headers, { SelfUseModeEnabled: 'true' })
  const caller = await visit(browser, { url: gateway.url, viewport: phone })
  await caller.page.goto('/')
  await caller.page.getByRole('banner').getByText('Self-use').filter({ visible: true }).waitFor()
  await setOptions(gateway.url, headers, { SelfUseModeEnabled: 'false' })
  await caller.close()
})

/** Responses that arrive late on a phone; the page must not shift when they do. */
const lateAnswers = [
  { at: '/channel/add', answer: '**/api/channel/types' },
  { at: '/channel/edit/1', answer: '**/api/channel/types' },
  { at: '/channel/edit/1', answer: '**/api/channel/1' },
  { at: '/user?user=2', answer: '**/api/user/2' },
]

it.each(lateAnswers)('$at does not shift when $answer comes late', async ({ at, answer }) => {
  const { page } = operator
  await wear(operator, { viewport: phone, scheme: 'dark', language: 'en' })
  let held = 0
  await page.route(answer, async (route) => {
    held++
    await page.getByRole('dialog').waitFor()
    await layoutShift(page) // Waits until it is painted.
    await route.continue()
  })
  await page.goto(at)
  await page.getByRole('dialog').waitFor()
  await operator.settled()
  expect(held).toBeGreaterThan(0)
  expect(await layoutShift(page)).toBeLessThan(SHIFT_MAX)
  await page.unroute(answer)
})

it('layout shifts and low contrast are detected by the checks', async () => {
  const { page } = visitor
  await page.goto('/about')
  await visitor.settled()
  await page.evaluate(() => {
    const late = document.createElement('p')
    late.style.cssText = 'height: 300px; color: #ccc; background: #fff'
    late.textContent = 'Late and pale'
    document.querySelector('main')?.prepend(late)
  })
  await expect.poll(() => layoutShift(page)).toBeGreaterThan(SHIFT_MAX)
  expect(await seriousViolations(page)).toEqual([expect.stringContaining('color-contrast')])
})

/** Loads a page and checks it, including the layout shift while its parts load. */
async function checkWhole(visitor: Visit, path: string, language: 'en' | 'zh'): Promise<void> {
  await visitor.page.goto(path)
  await visitor.page.getByRole('heading', { level: 1 }).waitFor()
  await visitor.settled() // The contrast of a colour in transition would be wrong.
  await checkShown(visitor, language)
  expect(await layoutShift(visitor.page), 'how far things moved while they came').toBeLessThan(SHIFT_MAX)
}

/** Checks what is on the screen now, and the complaints since the last check. */
async function checkShown({ page, complaints }: Visit, language: 'en' | 'zh'): Promise<void> {
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
  expect(await page.evaluate(() => document.documentElement.lang)).toMatch(language)
  expect(await overflow(page), 'pixels wider than the window').toBeLessThanOrEqual(0)
  expect(await seriousViolations(page)).toEqual([])
  expect(complaints.splice(0)).toEqual([])
}

/** How many pixels the page is wider than the window. */
const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
