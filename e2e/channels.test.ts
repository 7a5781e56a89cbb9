import { startFakeUpstream, type FakeUpstream } from '@tollgate/testkit/fake-upstream'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { visit, type Visit } from './support/browser.ts'
import { startGateway, type Gateway } from './support/gateway.ts'
import { endVisits, launchBrowser } from './support/launch.ts'
import { seedSite, send, signIn, signInAs, type Site } from './support/seed.ts'

/**
 * Channel operations in the console: tests, keys, tags, edit conflicts, and explaining the choice of a
 * channel.
 */
let gateway: Gateway
let upstream: FakeUpstream
let browser: Browser
let site: Site
let operator: Visit
let headers: Record<string, string>

beforeAll(async () => {
  ;[gateway, upstream, browser] = await Promise.all([startGateway(), startFakeUpstream(), launchBrowser()])
  site = await seedSite(gateway.url, upstream.url)
  headers = await signIn(gateway.url, { username: site.username, password: site.password })
  const second = {
    name: 'Second',
    type: 1,
    key: 'sk-one\nsk-two\nsk-three',
    models: 'gpt-4o',
    group: 'default',
  }
  await send(gateway.url, '/api/channel/', {
    headers,
    body: { ...second, base_url: upstream.url, priority: 5 },
  })
  operator = await visit(browser, { url: gateway.url })
  await signInAs(operator.page, site)
})

afterAll(async () => {
  await operator?.close()
  await endVisits(browser)
  await upstream?.close()
  await gateway?.stop()
})

async function choose(page: Page, name: string, action: string): Promise<void> {
  const row = page.getByRole('row').filter({ hasText: name }).first()
  await row.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

it('all channels are tested with visible progress, and the job shows the result', async () => {
  const { page } = operator
  await page.goto('/channel')
  await page.getByRole('button', { name: 'All channels' }).click()
  await page.getByRole('menuitem', { name: 'Test all' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Test all' }).click()
  await page.getByText('Tested 2 channels: 0 failed, 0 disabled, 0 enabled').waitFor()
  await page.goto('/job')
  const row = page.getByRole('row').filter({ hasText: 'Test all channels' })
  await row.getByText('tested 2').waitFor()
  await row.getByRole('button', { name: 'Run now' }).click()
  await page.getByText('“Test all channels” was started').waitFor()
})

it('a channel that fails its test stays marked, can be filtered, and is named in the result', async () => {
  const { page } = operator
  const broken = { name: 'Broken', type: 1, key: 'sk-broken', models: 'gpt-4o', group: 'default' }
  const { id } = await send<{ id: number }>(gateway.url, '/api/channel/', {
    headers,
    body: { ...broken, base_url: 'http://127.0.0.1:9' },
  })
  await page.goto('/channel')
  await page.getByRole('button', { name: 'All channels' }).click()
  await page.getByRole('menuitem', { name: 'Test all' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Test all' }).click()
  await page.getByText('Tested 3 channels: 1 failed, 0 disabled, 0 enabled').waitFor()
  await page.getByText('Last test failed: Broken.').waitFor()
  const overflow = await page.locator('table').evaluate((table) => {
    return table.scrollWidth - (table.parentElement?.clientWidth ?? 0)
  })
  expect(overflow, 'what lies under the actions of the rows').toBeLessThanOrEqual(0)
  await page.getByRole('link', { name: 'Show failed channels' }).click()
  await page.getByRole('row').filter({ hasText: 'Second' }).waitFor({ state: 'detached' })
  await page.reload()
  const row = page.getByRole('row').filter({ hasText: 'Broken' })
  await row.getByText('Failed').waitFor()
  expect(await page.getByRole('row').count()).toBe(2)
  await row.getByRole('button', { name: 'Show details' }).click()
  const details = page.getByRole('region', { name: 'Last test' })
  await details.getByText('gpt-4o').waitFor()
  const { test_message: reason } = await send<{ test_message: string }>(gateway.url, `/api/channel/${id}`, {
    method: 'GET',
    headers,
  })
  await details.getByText(reason).waitFor()
  await send(gateway.url, '/api/channel/batch', { headers, body: { ids: [id] } })
})

it('a test can use a chosen model, and a single key can be disabled', async () => {
  const { page } = operator
  await page.goto('/channel')
  await choose(page, 'Fake upstream', 'Test a model…')
  await page.getByRole('dialog').getByRole('button', { name: 'gpt-4o-mini' }).click()
  await page.getByText('“Fake upstream” answered in').waitFor()
  await page.keyboard.press('Escape')
  await choose(page, 'Second', 'Keys…')
  const drawer = page.getByRole('dialog')
  await drawer.getByText('3 enabled · 0 disabled · 0 refused').waitFor()
  await drawer.getByRole('button', { name: 'Disable' }).first().click()
  await drawer.getByText('2 enabled · 1 disabled · 0 refused').waitFor()
  await drawer.getByRole('button', { name: 'Add keys' }).click()
  await page.getByLabel('New keys').fill('sk-one, sk-four\nsk-five')
  await page.getByRole('dialog').last().getByRole('button', { name: 'Add keys' }).click()
  await drawer.getByText('4 enabled · 1 disabled · 0 refused').waitFor()
})

it('channels are tagged together, and a tag is changed as one', async () => {
  const { page } = operator
  await page.goto('/channel')
  await page.getByRole('row').filter({ hasText: 'Second' }).waitFor()
  await page.getByRole('checkbox', { name: 'Select all rows' }).click()
  await page.getByRole('button', { name: 'Set tag' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').getByText('Please fill in “Tag”.').waitFor()
  await page.getByRole('dialog').getByLabel(/^Tag/).fill('pair')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByText('2 channels tagged').waitFor()
  await page.getByRole('button', { name: 'Remove tag' }).click()
  await page.getByRole('dialog').getByText('Remove the tags of 2 channels?').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove tag' }).click()
  await page.getByText('The tags of 2 channels were removed').waitFor()
  await page.getByRole('button', { name: 'Set tag' }).click()
  await page.getByRole('dialog').getByLabel(/^Tag/).fill('pair')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByText('Group by tag').click()
  const row = page.getByRole('row').filter({ hasText: 'pair' })
  await row.getByText('2 of 2').waitFor()
  await row.getByLabel('weight: pair').fill('7')
  await row.getByLabel('weight: pair').press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Set' }).click()
  await page.getByText('2 channels changed').waitFor()
  await page.getByText('Group by tag').click()
})

it('the second of two editors of a channel sees what changed and can keep both edits', async () => {
  const { page } = operator
  await page.goto('/channel')
  await page.getByRole('row').filter({ hasText: 'Second' }).getByRole('button', { name: 'Edit' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel(/^Name/).fill('Second, renamed')
  await send(gateway.url, '/api/channel/', { method: 'PUT', headers, body: { id: 2, priority: 50 } })
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('Your edits touch other fields: both can be kept.').waitFor()
  await form.getByRole('button', { name: 'Keep both, mine where we differ' }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Channel saved').waitFor()
  const stored = await send(gateway.url, '/api/channel/2', { method: 'GET', headers })
  expect(stored).toMatchObject({ name: 'Second, renamed', priority: 50 })
})

it('the choice of a channel is explained, including retries', async () => {
  const { page } = operator
  await page.goto('/channel')
  await page.getByRole('button', { name: 'Why this channel?' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Model').fill('gpt-4o')
  await drawer.getByLabel('Retries').fill('1')
  await drawer.getByRole('button', { name: 'Explain' }).click()
  const row = (name: string) => drawer.getByRole('row').filter({ hasText: name })
  await row('Second, renamed').getByText('Candidate').waitFor()
  expect(await row('Second, renamed').getByText('100.0 %').count()).toBe(2)
  expect(await row('Fake upstream').getByText('Candidate').count()).toBe(1)
  const rule = { name: 'project', key_sources: [{ type: 'gjson', path: 'metadata.project' }] }
  const key = 'channel_affinity_setting.rules'
  await send(gateway.url, '/api/option/', {
    method: 'PUT',
    headers,
    body: { key, value: JSON.stringify([rule]) },
  })
  await drawer.getByLabel('Token id').fill('1')
  await drawer.getByLabel('Affinity rule').fill('project')
  await drawer.getByLabel('Value of the rule').fill('blue')
  await drawer.getByRole('button', { name: 'Explain' }).click()
  await drawer.getByText('new: the session is not bound').waitFor()
  await drawer.getByText('By the rule “project”').waitFor()
  // A conflict has status 409, which browsers report as an error.
  expect(operator.complaints.filter((text) => !text.includes('409'))).toEqual([])
})
