import { readFile } from 'node:fs/promises'
import { startFakeUpstream, type FakeUpstream } from '@tollgate/testkit/fake-upstream'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { visit, type Visit } from './support/browser.ts'
import { startGateway, type Gateway } from './support/gateway.ts'
import { endVisits, launchBrowser } from './support/launch.ts'
import { seedSite, send, setOptions, signIn, signInAs } from './support/seed.ts'

/** Tokens and codes: every way to create, change, copy, use and delete them. */
let gateway: Gateway
let upstream: FakeUpstream
let browser: Browser
let operator: Visit
let headers: Record<string, string>

const chats = [
  { Broken: 'not an address' },
  { Local: 'https://chat.example/#/?settings={"key":"{key}","url":"{address}"}' },
  { Telling: 'https://telling.example/?key={key}' },
]

beforeAll(async () => {
  ;[gateway, upstream, browser] = await Promise.all([startGateway(), startFakeUpstream(), launchBrowser()])
  const site = await seedSite(gateway.url, upstream.url)
  headers = await signIn(gateway.url, { username: site.username, password: site.password })
  await setOptions(gateway.url, headers, { Chats: JSON.stringify(chats) })
  operator = await visit(browser, { url: gateway.url })
  await signInAs(operator.page, site)
  await operator.page
    .context()
    .route(/https:\/\/(?:chat|telling)\.example/, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<h1>elsewhere</h1>' }),
    )
})

afterAll(async () => {
  await operator?.close()
  await endVisits(browser)
  await upstream?.close()
  await gateway?.stop()
})

const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name }).first()
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText())

async function choose(page: Page, name: string, action: string): Promise<void> {
  await rowOf(page, name).getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

async function agree(page: Page, action: string): Promise<void> {
  await page.getByRole('dialog').last().getByRole('button', { name: action, exact: true }).click()
}

it('several tokens are created at once, and an invalid value is reported at its field', async () => {
  const { page } = operator
  await page.goto('/token')
  await page.getByRole('button', { name: 'New token' }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: 'Create' }).click()
  await form.getByText('Please fill in “Name”').waitFor()
  await form.getByLabel(/^Name/).fill('fleet')
  await form.getByRole('button', { name: '$10', exact: true }).click()
  await form.getByRole('button', { name: '1 day' }).click()
  const expires = () => form.getByLabel('Expires').inputValue()
  await expect.poll(expires).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d$/)
  await form.getByRole('button', { name: 'Never' }).click()
  await expect.poll(expires).toBe('')
  for (const [text, error] of [
    ['not a date', 'Enter a date and time such as'],
    ['2020-01-01 00:00', 'Choose a time in the future.'],
  ] as const) {
    await form.getByLabel('Expires').fill(text)
    await form.getByRole('button', { name: 'Create' }).click()
    await form.getByText(error).waitFor()
  }
  await form.getByRole('button', { name: '30 days' }).click()
  await form.getByLabel('Addresses').fill('10.0.0.0/8\nnot an address')
  await form.getByLabel('Calls a minute').fill('60')
  await form.getByLabel('How many').fill('3')
  await form.getByRole('button', { name: 'Create' }).click()
  await form.getByText('"not" is neither an IP address nor a CIDR range').waitFor()
  await form.getByLabel('Addresses').fill('10.0.0.0/8\n::1')
  await form.getByRole('button', { name: 'Create' }).click()
  const made = page.getByRole('dialog', { name: 'Your new key' })
  await made.getByRole('button', { name: 'Copy' }).click()
  const copied = async () => (await clipboard(page)).split('\n').map((key) => key.slice(0, 3))
  await expect.poll(copied).toEqual(['sk-', 'sk-', 'sk-'])
  await made.getByRole('button', { name: 'Done' }).click()
  await rowOf(page, 'fleet').getByText('2 addresses').waitFor()
  expect(
    await page
      .getByRole('row')
      .filter({ hasText: /fleet-[0-9A-Za-z]{6}/ })
      .count(),
  ).toBe(2)
  expect(operator.complaints).toEqual([])
})

it('a token is copied, edited, disabled and enabled, and several are copied and deleted together', async () => {
  const { page } = operator
  await page.goto('/token')
  await rowOf(page, 'prod-web').getByRole('button', { name: 'Copy key' }).click()
  await expect.poll(() => clipboard(page)).toMatch(/^sk-[0-9A-Za-z]{48}$/)
  const key = await clipboard(page)
  await page.getByLabel('Search').fill(key)
  await rowOf(page, 'fleet').waitFor({ state: 'detached' })
  await rowOf(page, 'prod-web').waitFor()
  expect(page.url()).not.toContain(key)
  await page.getByLabel('Search').fill('')
  await rowOf(page, 'fleet').waitFor()
  await rowOf(page, 'prod-web').getByRole('button', { name: 'Edit' }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('combobox', { name: 'Models' }).fill('gpt-4o,')
  await form.getByRole('switch', { name: /No separate limit/ }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Token saved').waitFor()
  await rowOf(page, 'prod-web').getByText('Unlimited').waitFor()
  await rowOf(page, 'prod-web').getByText('1 model').waitFor()
  await rowOf(page, 'prod-web').getByRole('button', { name: 'Disable' }).click()
  await rowOf(page, 'prod-web').getByText('Disabled').waitFor()
  await rowOf(page, 'prod-web').getByRole('button', { name: 'Enable' }).click()
  await rowOf(page, 'prod-web').getByText('Enabled').waitFor()

  const fleet = page.getByRole('row').filter({ hasText: /fleet-/ })
  for (const box of await fleet.getByRole('checkbox').all()) await box.check()
  const bar = page.getByRole('group', { name: '2 selected' })
  await bar.getByRole('button', { name: 'Copy keys' }).click()
  await expect.poll(() => clipboard(page)).toMatch(/^fleet-\w{6} {4}sk-\w{48}\nfleet-\w{6} {4}sk-\w{48}$/)
  await bar.getByRole('button', { name: 'Disable' }).click()
  await page.getByText('Disable 2 tokens?').waitFor()
  await agree(page, 'Disable')
  await page.getByText('2 tokens disabled').waitFor()
  await fleet.first().getByText('Disabled').waitFor()
  await bar.getByRole('button', { name: 'Enable' }).click()
  await page.getByText('2 tokens enabled').waitFor()
  await bar.getByRole('button', { name: 'Delete' }).click()
  await agree(page, 'Delete')
  await page.getByText('2 tokens deleted').waitFor()
  await bar.waitFor({ state: 'detached' })
  await fleet.first().waitFor({ state: 'detached' })
  await choose(page, 'fleet', 'Delete')
  await agree(page, 'Delete')
  await page.getByText('Token deleted').waitFor()
  await page.getByLabel('Search').fill('nobody')
  await page.getByText('No token has this name').waitFor()
  expect(operator.complaints).toEqual([])
})

it('a chat opens with the key of a token, and a link that sends the key to a server asks first', async () => {
  const { page } = operator
  const chatWith = async (link: string) => {
    await rowOf(page, 'prod-web').getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Chat with' }).hover()
    await page.getByRole('menuitem', { name: link, exact: true }).click()
  }
  await page.goto('/token')
  await chatWith('Link 1')
  await page.getByText('This chat link is misconfigured').waitFor()
  const local = page.waitForEvent('popup')
  await chatWith('Local')
  expect((await local).url()).toMatch(/^https:\/\/chat\.example\/#\/\?settings=.*sk-\w{48}.*gate\.example/)
  await (await local).close()
  await chatWith('Telling')
  const telling = page.waitForEvent('popup')
  await page.getByRole('dialog', { name: 'Give the key to telling.example?' }).waitFor()
  await agree(page, 'Open')
  expect((await telling).url()).toMatch(/^https:\/\/telling\.example\/\?key=sk-\w{48}$/)
  await (await telling).close()
  await setOptions(gateway.url, headers, { Chats: '[]' })
  await page.reload()
  await rowOf(page, 'prod-web').getByRole('button', { name: 'More actions' }).click()
  expect(await page.getByRole('menuitem', { name: 'Chat with' }).getAttribute('aria-disabled')).toBe('true')
  expect(operator.complaints).toEqual([])
})

it('a gift with a custom code is created, reversed dates are refused, and codes are copied', async () => {
  const { page } = operator
  await page.goto('/redemption')
  await page.getByRole('button', { name: 'New codes' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Valid from').fill('2030-01-02 00:00')
  await form.getByLabel('Valid from').press('Enter')
  await form.getByLabel('Valid until').fill('2030-01-01 00:00')
  await form.getByLabel('Valid until').press('Enter')
  await form.getByRole('button', { name: 'Create' }).click()
  await form.getByText('The start must be before the end').waitFor()
  await form.getByLabel('Valid until').fill('2031-01-01 00:00')
  await form.getByLabel('Valid until').press('Enter')
  await form.getByLabel('Code of your own').fill('WELCOME-2030')
  await form.getByRole('switch', { name: 'Gift code' }).click()
  await form.getByLabel('How many users').fill('50')
  await form.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('dialog').getByText('WELCOME-2030').waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('$0.20.txt')
  expect(await readFile(await (await download).path(), 'utf8')).toBe('WELCOME-2030')
  await page.getByRole('button', { name: 'Done' }).click()
  await rowOf(page, '$0.20').getByText('Not valid yet').waitFor()
  await rowOf(page, '$0.20').getByText('Gift').waitFor()
  await rowOf(page, '$0.20').getByRole('button', { name: 'Copy code' }).click()
  await expect.poll(() => clipboard(page)).toBe('WELCOME-2030')
  await page.getByLabel('Search').fill('WELCOME-2030')
  await page.waitForURL(/keyword=WELCOME-2030/)
  await rowOf(page, '$0.20').getByText('WELC…').waitFor()
  expect(operator.complaints).toEqual([])
})

it('codes are disabled together, and counted before they are deleted by name, without leaving the page', async () => {
  const { page } = operator
  const body = { name: 'Spring', quota: 1000, count: 22 }
  await send(gateway.url, '/api/redemption/', { headers, body })
  await page.goto('/redemption?p=2')
  for (const name of ['Spring', '$0.20']) await rowOf(page, name).getByRole('checkbox').check()
  const bar = page.getByRole('group', { name: '2 selected' })
  await bar.getByRole('button', { name: 'Copy codes' }).click()
  await expect.poll(() => clipboard(page)).toMatch(/^Spring {4}\w{32}\n\$0\.20 {4}WELCOME-2030$/)
  await bar.getByRole('button', { name: 'Disable' }).click()
  await agree(page, 'Disable')
  await page.getByText('2 codes disabled').waitFor()
  await rowOf(page, '$0.20').getByText('Disabled').waitFor()
  expect(page.url()).toContain('p=2')
  await choose(page, '$0.20', 'Enable')
  await rowOf(page, '$0.20').getByText('Not valid yet').waitFor()
  await choose(page, '$0.20', 'Delete')
  await agree(page, 'Delete')
  await page.getByText('1 code deleted').waitFor()

  await page.getByRole('button', { name: 'Clean up' }).click()
  await page.getByRole('menuitem', { name: 'Delete codes by name' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Count first' }).click()
  await dialog.getByText('Enter a name').waitFor()
  await dialog.getByLabel('Name').fill('Sprin')
  await dialog.getByRole('button', { name: 'Count first' }).click()
  await dialog.getByText('No code has this name').waitFor()
  await dialog.getByLabel('Name').fill('Spring')
  await dialog.getByRole('button', { name: 'Count first' }).click()
  await page.getByText('Delete 22 codes named “Spring”?').waitFor()
  await agree(page, 'Delete')
  await page.getByText('22 codes deleted').waitFor()
  await page.getByText('No codes yet').waitFor()
  expect(operator.complaints).toEqual([])
})
