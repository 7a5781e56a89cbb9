import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import { remember } from './last-seen.ts'

export const desktop = { width: 1440, height: 900 }
export const phone = { width: 390, height: 844 }

export interface Visit {
  readonly page: Page
  /** Uncaught errors and console errors of the page, in order. */
  readonly complaints: string[]
  /** Resolves when the page has sent no request for a moment and shows no loading placeholder. */
  readonly settled: () => Promise<void>
  close(): Promise<void>
}

/** A fresh visitor: no storage, with the given language and theme. */
export async function visit(
  browser: Browser,
  options: { url: string; language?: 'en' | 'zh'; scheme?: 'light' | 'dark' } & Pick<
    BrowserContextOptions,
    'viewport'
  >,
): Promise<Visit> {
  const context = await browser.newContext({
    baseURL: options.url,
    viewport: options.viewport ?? desktop,
    colorScheme: options.scheme ?? 'light',
    locale: options.language === 'zh' ? 'zh-CN' : 'en-US',
    // Without animations, because elements in transition ignore clicks.
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const language = options.language ?? 'en'
  await context.addInitScript((value) => {
    if (!localStorage.getItem('i18nextLng')) localStorage.setItem('i18nextLng', value)
  }, language)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`)
  })
  remember(page)
  const isQuiet = quietness(page)
  return {
    page,
    complaints,
    settled: async () => {
      do {
        await expect.poll(isQuiet, { timeout: 30_000, interval: 20 }).toBe(true)
        await page.waitForFunction(allStill)
        // On a busy machine the page may not have sent its next request yet.
        await page.evaluate(idle)
      } while (!isQuiet() || !(await page.evaluate(allStill)))
    },
    close: () => context.close(),
  }
}

/**
 * Leads the console to another page as a link does, without loading the program again, which takes most of the
 * time of a load. Loads the page if the console is there already.
 */
export async function follow(page: Page, path: string): Promise<void> {
  if (page.url() === new URL(path, page.url()).href) await page.goto(path)
  else await page.evaluate((to) => history.pushState(null, '', to), path)
}

/** Chooses a language as its button does, which a window as narrow as a phone hides. */
export async function speak(page: Page, language: 'en' | 'zh'): Promise<void> {
  await page.locator(`header button[lang=${language}]`).first().dispatchEvent('click')
}

const QUIET_MS = 120

/**
 * Returns whether no request is running and none was a moment ago. Playwright's own `networkidle` takes half
 * a second a page.
 */
function quietness(page: Page): () => boolean {
  const underWay = new Set<Request>()
  let lastMs = 0
  const note = (change: () => void): void => {
    change()
    lastMs = performance.now()
  }
  page.on('request', (request) => note(() => underWay.add(request)))
  page.on('requestfinished', (request) => note(() => underWay.delete(request)))
  page.on('requestfailed', (request) => note(() => underWay.delete(request)))
  return () => underWay.size === 0 && performance.now() - lastMs > QUIET_MS
}

/** Runs in the page: nothing is loading, and no animation is running except endless ones. */
function allStill(): boolean {
  if (document.querySelector('.ant-skeleton-active, .ant-spin-spinning, [aria-busy=true]')) return false
  return document.getAnimations().every(({ playState, effect }) => {
    return playState !== 'running' || effect?.getComputedTiming().iterations === Infinity
  })
}

/**
 * Runs in the page: resolves when it is idle. Asks for a frame first, because Chromium reports idleness right
 * after a frame, but up to a second later when there is nothing to paint.
 */
function idle(): Promise<void> {
  return new Promise((resolve) =>
    requestAnimationFrame(() => requestIdleCallback(() => resolve(), { timeout: 1_000 })),
  )
}
