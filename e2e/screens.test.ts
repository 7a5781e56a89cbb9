import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { startFakeUpstream, type FakeUpstream } from '@tollgate/testkit/fake-upstream'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { desktop, launchBrowser, phone, visit, type Visit } from './support/browser.ts'
import { startGateway, type Gateway } from './support/gateway.ts'
import { seedSite, signInAs, type Site } from './support/seed.ts'

/** Every screen, in both themes, both languages and both widths: nothing breaks, overflows or shuts anybody out. */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

const publicScreens = [
  '/',
  '/login',
  '/register',
  '/reset',
  '/user/reset?email=ada@gate.example&token=abc',
  '/about',
  '/no-such-page',
]
const ownScreens = [
  '/personal',
  '/channel',
  '/token',
  '/log',
  '/playground',
  '/user',
  '/user?user=1&tab=balance',
  '/audit',
  '/setting',
  '/setting?tab=other&history=all',
]

let gateway: Gateway
let upstream: FakeUpstream
let browser: Browser
let site: Site

beforeAll(async () => {
  ;[gateway, upstream, browser] = await Promise.all([startGateway(), startFakeUpstream(), launchBrowser()])
  site = await seedSite(gateway.url, upstream.url)
})

afterAll(async () => {
  await browser?.close()
  await upstream?.close()
  await gateway?.stop()
})

describe.each([
  { viewport: desktop, scheme: 'light', language: 'en' },
  { viewport: desktop, scheme: 'dark', language: 'zh' },
  { viewport: phone, scheme: 'light', language: 'zh' },
  { viewport: phone, scheme: 'dark', language: 'en' },
] as const)('$viewport.width px, $scheme, $language', (look) => {
  let visitor: Visit
  let operator: Visit
  beforeAll(async () => {
    ;[visitor, operator] = await Promise.all([
      visit(browser, { url: gateway.url, ...look }),
      visit(browser, { url: gateway.url, ...look }),
    ])
    await signInAs(operator.page, site)
  })
  afterAll(async () => {
    await visitor?.close()
    await operator?.close()
  })

  it.each(publicScreens)('%s for a visitor', (path) => check(visitor, path, look.language))
  it.each(ownScreens)('%s for the operator', (path) => check(operator, path, look.language))
})

async function check({ page, complaints }: Visit, path: string, language: 'en' | 'zh'): Promise<void> {
  const complainedBefore = complaints.length
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  await page.waitForFunction(allStill) // A colour half way to another is nobody's contrast.

  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
  expect(await page.evaluate(() => document.documentElement.lang)).toMatch(language)
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow, 'pixels wider than the window').toBeLessThanOrEqual(0)
  expect(await seriousViolations(page)).toEqual([])
  expect(complaints.slice(complainedBefore)).toEqual([])
}

/** Runs in the page: no transition is under way, only what never ends. */
function allStill(): boolean {
  return document.getAnimations().every(({ playState, effect }) => {
    return playState !== 'running' || effect?.getComputedTiming().iterations === Infinity
  })
}

async function seriousViolations(page: Page): Promise<string[]> {
  await page.evaluate(axeSource)
  return page.evaluate(async () => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the script above defines it
    const { axe } = globalThis as unknown as {
      axe: {
        run(): Promise<{ violations: { id: string; impact: string; nodes: { target: string[] }[] }[] }>
      }
    }
    const { violations } = await axe.run()
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
  })
}
