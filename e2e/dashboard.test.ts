import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFakeUpstream, type FakeUpstream } from '@tollgate/testkit/fake-upstream'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { desktop, follow, phone, visit, type Visit } from './support/browser.ts'
import { startGateway, type Gateway } from './support/gateway.ts'
import { endVisits, launchBrowser } from './support/launch.ts'
import { writePastCalls } from './support/past-calls.ts'
import { seedSite, signInAs, type Site } from './support/seed.ts'

/** From a number on the dashboard to the calls behind it. */

const folder = mkdtempSync(join(tmpdir(), 'tollgate-dashboard-'))
let gateway: Gateway
let upstream: FakeUpstream
let browser: Browser
let site: Site
let operator: Visit | undefined

beforeAll(async () => {
  const databasePath = join(folder, 'tollgate.db')
  ;[gateway, upstream, browser] = await Promise.all([
    startGateway({ SQLITE_PATH: databasePath }),
    startFakeUpstream(),
    launchBrowser(),
  ])
  site = await seedSite(gateway.url, upstream.url)
  writePastCalls(databasePath, [
    { daysAgo: 3, model: 'o1', quota: 700_000 },
    { daysAgo: 3, model: 'o1-mini', quota: 200_000 },
    // Not on the first day of the week, which is cut off just after midnight.
    { daysAgo: 5, model: 'o1', quota: 100_000 },
  ])
})

afterAll(async () => {
  await endVisits(browser)
  await upstream?.close()
  await gateway?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** One browser for all tests: the first loads the console, and the others follow a link. */
async function open(viewport: typeof desktop, path: string): Promise<Visit> {
  const isLoaded = operator !== undefined
  operator ??= await visit(browser, { url: gateway.url })
  const { page, settled } = operator
  if (!isLoaded) await signInAs(page, site)
  await page.setViewportSize(viewport)
  await (isLoaded ? follow(page, path) : page.goto(path))
  await settled()
  return operator
}

it('each share has percent and amount, and links to its calls', async () => {
  for (const viewport of [desktop, phone]) {
    const visited = await open(viewport, '/detail?range=7d')
    const { page, settled, complaints } = visited
    const row = page.getByRole('row', { name: 'o1 80.0 % $1.60', exact: true })
    await row.waitFor()
    await page.getByRole('row', { name: 'Total $2.00' }).waitFor()
    await row.getByRole('link').click()
    await page.getByRole('heading', { name: 'Usage log', level: 1 }).waitFor()
    await settled()
    const address = new URL(page.url())
    expect(address.searchParams.get('model_name')).toBe('o1')
    // Both calls of that model in the week, and none of `o1-mini`.
    const text = await page.getByRole('region', { name: 'Usage log' }).innerText()
    expect(text).toContain('$1.40')
    expect(text).not.toContain('o1-mini')
    expect(complaints).toEqual([])
  }
})

it('a bar links to the calls of its day', async () => {
  const { bar, of } = await openChartOverTime()
  // The highest bar takes over nine tenths of the height, and seven of its nine parts belong to this model.
  const search = await of(await bar(3))
  expect(daysOf(search)).toBe(1)
  expect(search.get('model_name')).toBe('o1')
})

it('the space above a bar links to all calls of its day', async () => {
  const { bar, of } = await openChartOverTime()
  // This bar is a tenth of the highest one, so the click is above it.
  const search = await of(await bar(5))
  expect(daysOf(search)).toBe(1)
  expect(search.get('model_name')).toBeNull()
})

it('hovering over a bar shows its parts', async () => {
  const { bar, tooltip, page } = await openChartOverTime()
  const { x, y } = await bar(3)
  await page.mouse.move(x, y)
  expect(await tooltip.innerText()).toMatch(
    /^\d\d-\d\d\s+Total\s+\$1\.80\s+o1\s+\$1\.40\s+o1-mini\s+\$0\.40$/,
  )
  await page.mouse.move(0, 0)
  expect(await tooltip.isVisible()).toBe(false)
})

it('a name in the ranking links to its calls and works by keyboard', async () => {
  const visited = await open(desktop, '/detail?range=7d')
  const { page } = visited
  const rank = page.getByRole('list', { name: /^Rank/ })
  expect(await rank.getByRole('listitem').first().innerText()).toMatch(/^o1\s+\$1\.60$/)
  await rank.getByRole('link', { name: 'o1-mini' }).press('Enter')
  await page.waitForURL(/\/log\?.*model_name=o1-mini/)
})

interface Point {
  readonly x: number
  readonly y: number
}

async function openChartOverTime() {
  const visited = await open(desktop, '/detail?range=7d')
  const { page, settled } = visited
  const chart = page.getByRole('figure', { name: /^Over time/ })
  const tooltip = chart.locator('[role=tooltip]')
  return {
    page,
    tooltip,
    /** The middle of a day's column, found by moving the mouse until the tooltip names the day. */
    bar: async (daysAgo: number): Promise<Point> => {
      const box = await chart.boundingBox()
      if (box === null) throw new Error('no chart')
      const y = box.y + box.height / 2
      const named: number[] = []
      for (let x = box.x; x < box.x + box.width; x += 12) {
        await page.mouse.move(x, y)
        if ((await tooltip.textContent())?.startsWith(dayName(daysAgo))) named.push(x)
      }
      const [first, last] = [named[0], named.at(-1)]
      if (first === undefined || last === undefined) throw new Error('no column of that day')
      return { x: (first + last) / 2, y }
    },
    /** The filters of the usage log after a click at this point. */
    of: async ({ x, y }: Point): Promise<URLSearchParams> => {
      await page.mouse.click(x, y)
      await page.getByRole('heading', { name: 'Usage log', level: 1 }).waitFor()
      await settled()
      return new URL(page.url()).searchParams
    },
  }
}

/** The axis label, such as `11-20`, of the day of a call written by `writePastCalls`. */
function dayName(daysAgo: number): string {
  const at = new Date(Date.now() - daysAgo * 86_400_000 - 60_000)
  return [at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
}

function daysOf(search: URLSearchParams): number {
  const [start, end] = ['start_timestamp', 'end_timestamp'].map((name) => Number(search.get(name)))
  return ((end ?? 0) + 1 - (start ?? 0)) / 86_400
}

it('the table of a chart links to its calls and works by keyboard', async () => {
  const visited = await open(desktop, '/detail?range=7d')
  const { page } = visited
  await page.getByRole('button', { name: 'As a table' }).first().press('Enter')
  const cell = page.getByRole('region', { name: 'Over time' }).getByRole('link', { name: '$1.40' })
  await cell.press('Enter')
  await page.waitForURL(/\/log\?.*model_name=o1(?:&|$)/)
})

it('the chart shows a chosen range of days with matching steps', async () => {
  const visited = await open(desktop, '/detail?range=30d')
  const { page, settled } = visited
  await page.getByRole('combobox', { name: 'Time range' }).click()
  await page.getByTitle('This month', { exact: true }).click()
  await page.waitForURL(/range=month/)
  await page.getByRole('combobox', { name: 'Time range' }).click()
  await page.getByTitle('Choose days', { exact: true }).click()
  await page.waitForURL(/range=own/)
  await settled()
  const { searchParams } = new URL(page.url())
  const start = new Date(Number(searchParams.get('start_timestamp')) * 1000)
  expect([start.getDate(), start.getHours()]).toEqual([1, 0])
  await page.locator('.ant-picker-range').waitFor()
})

it('calls are found by part of a model name and by a time range, on a phone too', async () => {
  const visited = await open(phone, '/log')
  const { page, settled } = visited
  await page.getByRole('button', { name: /^Filters/ }).click()
  await page.getByRole('combobox', { name: 'Time range' }).click()
  await page.getByTitle('Last 7 days', { exact: true }).click()
  await page.getByRole('combobox', { name: 'Model' }).fill('o1')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.waitForURL(/model_name=%25o1%25/)
  await settled()
  const rows = await page.getByRole('region', { name: 'Usage log' }).innerText()
  expect(rows).toContain('o1-mini')
})
