import { type FakeUpstream, startFakeUpstream } from '@tollgate/testkit/fake-upstream'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { follow, speak, visit, type Visit } from './support/browser.ts'
import { type Gateway, startGateway } from './support/gateway.ts'
import { endVisits, launchBrowser } from './support/launch.ts'
import { isLong } from './support/looks.ts'
import { seedSite, send, signIn, signInAs, type Site } from './support/seed.ts'

/**
 * Presses every button of the account, user and settings screens. Each must have a name in the language of
 * the page, and nothing may break.
 */
const publicScreens = { en: ['/', '/login', '/reset'], zh: ['/register', '/about', '/no-such-page'] } as const
const ownScreens = {
  en: ['/user', '/audit', '/setting?tab=system'],
  zh: [
    '/personal',
    '/user?user=2',
    '/user?user=2&tab=tokens',
    '/user?user=2&tab=balance',
    '/setting?tab=other',
  ],
} as const
/**
 * The short form presses the buttons of a screen in one language; another test checks that all texts have both.
 * `npm run test:walks` presses them in both.
 */
const screensOf = (screens: Record<'en' | 'zh', readonly string[]>, language: 'en' | 'zh') =>
  isLong ? [...screens.en, ...screens.zh] : screens[language]
/** Fewer pressed buttons than these mean that the buttons were not found. */
const PRESSED_FLOOR = isLong
  ? { public: { en: 18, zh: 18 }, own: { en: 90, zh: 90 } }
  : { public: { en: 13, zh: 10 }, own: { en: 55, zh: 38 } }

let gateway: Gateway
let upstream: FakeUpstream
let browser: Browser
let site: Site

beforeAll(async () => {
  ;[upstream, browser] = await Promise.all([startFakeUpstream(), launchBrowser()])
})

afterAll(async () => {
  await endVisits(browser)
  await upstream?.close()
})

describe.each(['en', 'zh'] as const)('in %s', (language) => {
  /** Each language has a site of its own, because the buttons switch things off. */
  beforeAll(async () => {
    gateway = await startGateway()
    site = await seedSite(gateway.url, upstream.url)
    const headers = await signIn(gateway.url, { username: site.username, password: site.password })
    const person = { username: 'grace', password: 'hopper-1906', display_name: 'Grace' }
    await send(gateway.url, '/api/user/', { headers, body: person })
  })
  afterAll(() => gateway?.stop())

  it('every button of a visitor works', async () => {
    const visitor = await visit(browser, { url: gateway.url, language })
    await keepInside(visitor.page)
    const pressed = await pressEverything(visitor, screensOf(publicScreens, language), language)
    report(`a visitor, ${language}`, pressed)
    expect(pressed.length).toBeGreaterThanOrEqual(PRESSED_FLOOR.public[language])
    await visitor.close()
  })

  it('every button of the operator on the account, user and settings pages works', async () => {
    const operator = await visit(browser, { url: gateway.url, language })
    await signInAs(operator.page, site)
    await keepInside(operator.page)
    const pressed = await pressEverything(operator, screensOf(ownScreens, language), language)
    report(`the operator, ${language}`, pressed)
    expect(pressed.length).toBeGreaterThanOrEqual(PRESSED_FLOOR.own[language])
    await operator.close()
  })
})

/**
 * Answers all requests to other sites, to which sign-in buttons lead. Uses the DevTools protocol for
 * `https://*` only: a Playwright route intercepts every request and disables the cache, which made each page
 * three times slower.
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

/**
 * Presses buttons of the page frame on the first screen only, and of table rows in the first row only.
 * Returns the names of the pressed buttons.
 */
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
        // A dialog that opened late covers the button; look at the dialog first.
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
        await speak(page, language)
        await visitor.settled()
        continue
      }
      const wrong = (await namesOf(page)).filter((name) => !isIn(language, name))
      expect(wrong, `after ${place}`).toEqual([])
      await comeBack(visitor, { screen, before })
    }
    // The frame alone has some buttons. Checked here, so that a failure shows the content of the page.
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

async function open(visitor: Visit, screen: string): Promise<void> {
  await visitor.page.goto(screen)
  await expectOpened(visitor, screen)
}

async function expectOpened({ page, settled }: Visit, screen: string): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await settled()
  expect(page.url(), 'still let in').toBe(new URL(screen, gateway.url).href)
}

/** Closes what a button opened, and returns to the screen if it led elsewhere. */
async function comeBack(
  visitor: Visit,
  { screen, before }: { screen: string; before: number },
): Promise<void> {
  const { page } = visitor
  if ((await openThings(page)) > before) {
    await page.keyboard.press('Escape')
    await visitor.settled()
  }
  if (page.url() !== new URL(screen, gateway.url).href) await goBack(visitor, screen)
  if ((await openThings(page)) > before) await open(visitor, screen)
}

/** Returns to the screen, without loading the console again unless the button led out of it. */
async function goBack(visitor: Visit, screen: string): Promise<void> {
  const { page } = visitor
  if (new URL(page.url()).origin !== gateway.url) return open(visitor, screen)
  await follow(page, screen)
  await expectOpened(visitor, screen)
}

const openThings = (page: Page): Promise<number> =>
  page.locator(`${DIALOG}, .ant-dropdown:visible, .ant-popover:visible`).count()

const LANGUAGES = /^(?:中文?|EN|English)$/

/** Buttons that end the session; another test presses them. */
const LAST = /^(?:Log out|退出登录)$/

const DIALOG = '[role=dialog]:visible, dialog[open]'
const BUTTONS = 'button:visible:not([disabled]):not([aria-hidden=true])'
const FRAME = `header ${BUTTONS}, nav ${BUTTONS}, aside ${BUTTONS}`

/** A dialog covers the buttons behind it, so only its own are returned. */
async function buttonsOf(page: Page): Promise<Locator> {
  const dialog = page.locator(DIALOG).last()
  return (await dialog.count()) > 0 ? dialog.locator(BUTTONS) : page.locator(BUTTONS)
}

/**
 * Looks a second time after waiting before concluding that no button is left: parts of a page may appear
 * late, and a late dialog covers the rest.
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

/**
 * Runs in the page. Replaces digits in a name, because they change, and quoted text, because rows differ only
 * in it.
 */
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
/** Names allowed in both languages: product names, and the languages in their own words. */
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
