import { type FakeUpstream, startFakeUpstream } from '@tollgate/testkit/fake-upstream'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, visit, type Visit } from './support/browser.ts'
import { type Gateway, startGateway } from './support/gateway.ts'
import { seedSite, send, signIn, signInAs, type Site } from './support/seed.ts'

/** Every button of the screens for people, pressed: it has a name in the language of the page, and nothing breaks. */
const publicScreens = ['/', '/login', '/register', '/reset', '/about', '/no-such-page']
const ownScreens = [
  '/personal',
  '/user',
  '/user?user=2',
  '/user?user=2&tab=tokens',
  '/user?user=2&tab=balance',
  '/audit',
  '/setting?tab=system',
  '/setting?tab=other',
]
/** In the second language those with the most buttons; that all texts have both is a test of the texts. */
const screensIn = { en: ownScreens, zh: ['/personal', '/user?user=2', '/setting?tab=other'] } as const
/** Fewer than these would mean that the buttons were not found. */
const PRESSED_FLOOR = { public: 18, own: { en: 90, zh: 38 } }

let gateway: Gateway
let upstream: FakeUpstream
let browser: Browser
let site: Site

beforeAll(async () => {
  ;[upstream, browser] = await Promise.all([startFakeUpstream(), launchBrowser()])
})

afterAll(async () => {
  await browser?.close()
  await upstream?.close()
})

describe.each(['en', 'zh'] as const)('in %s', (language) => {
  /** A site of its own: what was switched off here is not missed there. */
  beforeAll(async () => {
    gateway = await startGateway()
    site = await seedSite(gateway.url, upstream.url)
    const headers = await signIn(gateway.url, { username: site.username, password: site.password })
    const person = { username: 'grace', password: 'hopper-1906', display_name: 'Grace' }
    await send(gateway.url, '/api/user/', { headers, body: person })
  })
  afterAll(() => gateway?.stop())

  it('every button a visitor has', async () => {
    const visitor = await visit(browser, { url: gateway.url, language })
    await keepInside(visitor.page)
    const pressed = await pressEverything(visitor, publicScreens, language)
    report(`a visitor, ${language}`, pressed)
    expect(pressed.length).toBeGreaterThanOrEqual(PRESSED_FLOOR.public)
    await visitor.close()
  })

  it('every button of the operator among people and settings', async () => {
    const operator = await visit(browser, { url: gateway.url, language })
    await signInAs(operator.page, site)
    await keepInside(operator.page)
    const pressed = await pressEverything(operator, screensIn[language], language)
    report(`the operator, ${language}`, pressed)
    expect(pressed.length).toBeGreaterThanOrEqual(PRESSED_FLOOR.own[language])
    await operator.close()
  })
})

/**
 * Doors lead elsewhere; here somebody answers for all of elsewhere. Only what is not for the gateway passes through here:
 * a route of Playwright's stands before every request and switches the cache off, and each page came three times as late.
 */
async function keepInside(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  session.on('Fetch.requestPaused', ({ requestId }) => {
    void session.send('Fetch.fulfillRequest', { requestId, responseCode: 200, ...ELSEWHERE })
  })
  await session.send('Fetch.enable', { patterns: [{ urlPattern: 'https://*' }] })
}

const ELSEWHERE = {
  responseHeaders: [{ name: 'content-type', value: 'text/html' }],
  body: Buffer.from('<h1>elsewhere</h1>').toString('base64'),
}

/** Buttons of the frame around the pages are pressed on the first screen, rows of a table by their first. Returns the names. */
async function pressEverything(
  visitor: Visit,
  screens: readonly string[],
  language: 'en' | 'zh',
): Promise<readonly string[]> {
  const { page, complaints } = visitor
  const pressed: string[] = []
  const known = new Set<string>()
  let covered = 0
  for (const screen of screens) {
    await open(visitor, screen)
    const before = await openThings(page)
    const look = () => lookTwice(visitor, { known, screen, before })
    for (let next = await look(); next; next = await look()) {
      const place = `${screen}: ${next.name || '(no name)'}`
      expect(isIn(language, next.name), place).toBe(true)
      if (!(await isPressed(next.button))) {
        // A dialog came late and covers it: that is looked at first.
        covered += 1
        expect(covered, `covered: ${place}`).toBeLessThan(COVERED_MAX)
        await visitor.settled()
        continue
      }
      known.add(next.name)
      await visitor.settled()
      expect(complaints, `after ${place}`).toEqual([])
      pressed.push(place)
      if (LANGUAGES.test(next.name)) {
        await speakAgain(visitor, { screen, language })
        continue
      }
      const wrong = (await namesOf(page)).filter((name) => !isIn(language, name))
      expect(wrong, `after ${place}`).toEqual([])
      await comeBack(visitor, { screen, before })
    }
    // The frame alone has some. Here, so that what the page shows is told.
    expect(pressed.length, `pressed on the first screen, ${screens[0]}`).toBeGreaterThan(0)
    known.clear()
    for (const name of await frameNames(page)) known.add(name)
  }
  return pressed
}

const COVERED_MAX = 10

const isPressed = (button: Locator): Promise<boolean> =>
  button.click({ timeout: 5_000 }).then(
    () => true,
    () => false,
  )

async function open({ page, settled }: Visit, screen: string): Promise<void> {
  await page.goto(screen)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await settled()
  expect(page.url(), 'still let in').toBe(new URL(screen, gateway.url).href)
}

/** What is open is closed; who was led away returns. */
async function comeBack(
  visitor: Visit,
  { screen, before }: { screen: string; before: number },
): Promise<void> {
  const { page } = visitor
  if ((await openThings(page)) > before) {
    await page.keyboard.press('Escape')
    await visitor.settled()
  }
  const isElsewhere = page.url() !== new URL(screen, gateway.url).href
  if (isElsewhere || (await openThings(page)) > before) await open(visitor, screen)
}

const openThings = (page: Page): Promise<number> =>
  page.locator(`${DIALOG}, .ant-dropdown:visible, .ant-popover:visible`).count()

const LANGUAGES = /^(?:中文?|EN|English)$/

/** The button was one that changes the language. */
async function speakAgain(
  visitor: Visit,
  { screen, language }: { screen: string; language: string },
): Promise<void> {
  await visitor.page.evaluate((value) => localStorage.setItem('i18nextLng', value), language)
  await open(visitor, screen)
}

/** After these nobody is here any more; another walk presses them. */
const LAST = /^(?:Log out|退出登录)$/

const DIALOG = '[role=dialog]:visible, dialog[open]'
const BUTTONS = 'button:visible:not([disabled]):not([aria-hidden=true])'
const FRAME = `header ${BUTTONS}, nav ${BUTTONS}, aside ${BUTTONS}`

/** A dialog covers what is behind it. */
async function buttonsOf(page: Page): Promise<Locator> {
  const dialog = page.locator(DIALOG).last()
  return (await dialog.count()) > 0 ? dialog.locator(BUTTONS) : page.locator(BUTTONS)
}

/**
 * Nothing more is to press only if that is so after another wait too: what a page shows last may come late, and what
 * opens late covers the rest.
 */
async function lookTwice(
  visitor: Visit,
  { known, ...place }: { known: ReadonlySet<string>; screen: string; before: number },
): ReturnType<typeof nextButton> {
  const found = await nextButton(visitor.page, known)
  if (found !== undefined) return found
  await visitor.settled()
  await comeBack(visitor, place)
  return nextButton(visitor.page, known)
}

async function nextButton(
  page: Page,
  known: ReadonlySet<string>,
): Promise<{ button: Locator; name: string } | undefined> {
  const buttons = await buttonsOf(page)
  const names = await buttons.evaluateAll(readNames)
  const index = names.findIndex((name) => !known.has(name) && !LAST.test(name))
  return index < 0 ? undefined : { button: buttons.nth(index), name: names[index] ?? '' }
}

const namesOf = async (page: Page): Promise<string[]> => (await buttonsOf(page)).evaluateAll(readNames)
const frameNames = (page: Page): Promise<string[]> => page.locator(FRAME).evaluateAll(readNames)

/** Runs in the page. Figures in a name change as things happen, and what is quoted is one of many of a kind. */
function readNames(buttons: readonly Element[]): string[] {
  return buttons.map((button) => {
    const labelled = button.getAttribute('aria-labelledby')
    const named =
      button.getAttribute('aria-label') ??
      (labelled === null ? undefined : document.getElementById(labelled)?.textContent) ??
      (button.textContent.trim() === '' && button.id !== ''
        ? document.querySelector(`label[for="${button.id}"]`)?.textContent
        : undefined) ??
      button.textContent
    return named
      .replaceAll(/\d+/g, '0')
      .replaceAll(/“[^”]*”|「[^」]*」/g, '“”')
      .trim()
  })
}

const HAN = /\p{Script=Han}/u
/** Names of things, and the languages in their own words. */
const ANYWHERE =
  /^(?:[\W\d_]*|中文?|gpt-.*|https:.*|text-embedding-.*|curl|Python|Node\.js|EN|English|Ctrl K|GitHub|OIDC|Linux DO|Telegram|Webhook|Tollgate|operator|grace)$/iu

function isIn(language: 'en' | 'zh', name: string): boolean {
  if (name === '') return false
  return ANYWHERE.test(name) || HAN.test(name) === (language === 'zh')
}

function report(who: string, pressed: readonly string[]): void {
  const perScreen = Object.groupBy(pressed, (place) => place.slice(0, place.indexOf(': ')))
  const counts = Object.entries(perScreen).map(([screen, places]) => `${screen} ${places?.length ?? 0}`)
  process.stdout.write(`buttons: ${who}, ${pressed.length} pressed: ${counts.join(', ')}\n`)
}
