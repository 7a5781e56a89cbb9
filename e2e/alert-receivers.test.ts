import { startFakeUpstream, type FakeUpstream } from '@tollgate/testkit/fake-upstream'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { visit, type Visit } from './support/browser.ts'
import { startGateway, type Gateway } from './support/gateway.ts'
import { endVisits, launchBrowser } from './support/launch.ts'
import { seedSite, signInAs } from './support/seed.ts'

/** An operator adds two receivers of one kind, tests them, edits one and removes one. */

let gateway: Gateway
let upstream: FakeUpstream
let browser: Browser
let operator: Visit

beforeAll(async () => {
  ;[gateway, upstream, browser] = await Promise.all([startGateway(), startFakeUpstream(), launchBrowser()])
  const site = await seedSite(gateway.url, upstream.url)
  operator = await visit(browser, { url: gateway.url })
  await signInAs(operator.page, site)
  await operator.page.goto('/setting?tab=operation#alerts')
})

afterAll(async () => {
  await operator?.close()
  await endVisits(browser)
  await upstream?.close()
  await gateway?.stop()
})

const section = (page: Page) => page.locator('#alerts')
const row = (page: Page, name: string) => section(page).getByRole('row').filter({ hasText: name })

async function add(page: Page, name: string, url: string): Promise<void> {
  await section(page).getByRole('button', { name: 'Add a receiver' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Type').click()
  await page.getByTitle('Slack').click()
  await drawer.getByLabel('Name').fill(name)
  await drawer.getByLabel('Webhook URL').fill(url)
  await drawer.getByRole('button', { name: 'Save', exact: true }).click()
  await row(page, name).waitFor()
}

it('two receivers of one kind are added, and each says what its test answered', async () => {
  const { page } = operator
  await section(page).getByText('No receivers yet').waitFor()
  await add(page, 'Platform team', `${gateway.url}/livez`)
  await add(page, 'Night shift', 'http://127.0.0.1:9/')
  await row(page, 'Night shift').getByRole('button', { name: 'Test' }).click()
  await section(page).getByText('Night shift: the receiver cannot be reached').waitFor()
})

it('a field that is missing is marked, and nothing is sent', async () => {
  const { page } = operator
  await section(page).getByRole('button', { name: 'Add a receiver' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByRole('button', { name: 'Save', exact: true }).click()
  await drawer.getByText('Please fill in “Name”.').waitFor()
  await drawer.getByText('Please enter an email address').waitFor()
  await drawer.getByRole('button', { name: 'Cancel' }).click()
  await drawer.waitFor({ state: 'detached' })
})

it('a name is changed without entering the address again, and a receiver is removed', async () => {
  const { page } = operator
  await row(page, 'Night shift').getByRole('button', { name: 'Edit' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Name').fill('Day shift')
  await drawer.getByRole('button', { name: 'Save', exact: true }).click()
  await row(page, 'Day shift').waitFor()
  await row(page, 'Platform team').getByRole('button', { name: /more/i }).click()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await row(page, 'Platform team').waitFor({ state: 'detached' })
  expect(await section(page).getByRole('row').count()).toBe(2)
})
