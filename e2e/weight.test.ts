import { gzipSync } from 'node:zlib'
import { startFakeUpstream, type FakeUpstream } from '@tollgate/testkit/fake-upstream'
import type { Browser, Page, Response } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { visit } from './support/browser.ts'
import { startGateway, type Gateway } from './support/gateway.ts'
import { endVisits, launchBrowser } from './support/launch.ts'
import { layoutShift, SHIFT_MAX, watchShifts } from './support/layout-shift.ts'
import { seedSite, signInAs, type Site } from './support/seed.ts'

/**
 * The compressed size of all scripts that the first visit to a page loads, until the page shows its content
 * and is quiet. The cache is empty, as for a visitor who follows a link.
 */
const KB = 1000
const FILES_MAX = 22

interface Figures {
  readonly path: string
  readonly kilobytes: number
  readonly files: number
  readonly shift: number
  /** The largest files with their size in kilobytes. */
  readonly largest: string
}

interface Weighed {
  readonly path: string
  /** Selector of the content. */
  readonly stands: string
  readonly kilobytesMax: number
  readonly isSignedIn?: boolean
}

const pages: readonly Weighed[] = [
  { path: '/', stands: 'h1', kilobytesMax: 250 },
  { path: '/login', stands: 'form', kilobytesMax: 250 },
  { path: '/register', stands: 'form', kilobytesMax: 250 },
  { path: '/reset', stands: 'form', kilobytesMax: 250 },
  { path: '/pricing', stands: 'tbody tr[data-row]', kilobytesMax: 250 },
  { path: '/log', stands: 'tbody tr[data-row]', kilobytesMax: 300, isSignedIn: true },
  { path: '/token', stands: 'tbody tr[data-row]', kilobytesMax: 300, isSignedIn: true },
  { path: '/playground', stands: 'main textarea', kilobytesMax: 300, isSignedIn: true },
  { path: '/detail', stands: 'tbody tr[data-row]', kilobytesMax: 350, isSignedIn: true },
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
  await endVisits(browser)
  await upstream?.close()
  await gateway?.stop()
})

it('a first visit to a page stays within its script size and file count, without layout shifts', async () => {
  const found: Figures[] = []
  for (const page of pages) found.push(await figuresOf(page))
  const heavy = pages.filter(({ kilobytesMax }, index) => {
    const { kilobytes = 0, files = 0, shift = 0 } = found[index] ?? {}
    return kilobytes > kilobytesMax || files > FILES_MAX || shift >= SHIFT_MAX
  })
  const listed = found.map(({ path, kilobytes, files, shift, largest }) => {
    return `${path}: ${kilobytes.toFixed(1)} KB in ${files} files, moved ${shift.toFixed(3)}; ${largest}`
  })
  if (process.env['SHOW_WEIGHT']) console.log(listed.join('\n'))
  expect(heavy, listed.join('\n')).toEqual([])
})

async function figuresOf({ path, stands, isSignedIn }: Weighed): Promise<Figures> {
  const visitor = await visit(browser, { url: gateway.url })
  const { page } = visitor
  await watchShifts(page)
  if (isSignedIn) await signInAs(page, site)
  const scripts = await countScripts(page)
  await page.goto(path)
  await page.locator(stands).first().waitFor()
  await visitor.settled()
  const sizes = await scripts()
  const shift = await layoutShift(page)
  expect(visitor.complaints).toEqual([])
  await visitor.close()
  const largest = sizes
    .toSorted((a, b) => b.size - a.size)
    .slice(0, 6)
    .map(({ name, size }) => `${name} ${(size / KB).toFixed(1)}`)
  return {
    path,
    kilobytes: sizes.reduce((sum, { size }) => sum + size, 0) / KB,
    files: sizes.length,
    shift,
    largest: largest.join(', '),
  }
}

interface Script {
  readonly name: string
  readonly size: number
}

/**
 * Counts scripts from now on with an empty cache. Each counts with its gzip size, whatever encoding was sent.
 */
async function countScripts(page: Page): Promise<() => Promise<readonly Script[]>> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.clearBrowserCache')
  const responses: Response[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') responses.push(response)
  })
  return () =>
    Promise.all(
      responses.map(async (response) => ({
        name: new URL(response.url()).pathname.replace('/assets/', ''),
        size: gzipSync(await response.body(), { level: 6 }).length,
      })),
    )
}
