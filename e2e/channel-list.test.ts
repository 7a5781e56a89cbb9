import { startFakeUpstream, type FakeUpstream } from '@tollgate/testkit/fake-upstream'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { visit, type Visit } from './support/browser.ts'
import { startGateway, type Gateway } from './support/gateway.ts'
import { endVisits, launchBrowser } from './support/launch.ts'
import { seedSite, send, signIn, signInAs } from './support/seed.ts'

/**
 * The channel list: finding, sorting, enabling, copying and deleting channels, singly, together and by tag.
 */
let gateway: Gateway
let upstream: FakeUpstream
let browser: Browser
let operator: Visit
let headers: Record<string, string>

beforeAll(async () => {
  ;[gateway, upstream, browser] = await Promise.all([startGateway(), startFakeUpstream(), launchBrowser()])
  const site = await seedSite(gateway.url, upstream.url)
  headers = await signIn(gateway.url, { username: site.username, password: site.password })
  const plain = { type: 1, key: 'sk-list', models: 'gpt-4o', group: 'default', base_url: upstream.url }
  for (const body of [
    { ...plain, name: 'Alpha', tag: 'greek', priority: 9 },
    { ...plain, name: 'Beta', tag: 'greek', models: 'o1', group: 'vip' },
    { ...plain, name: 'Gamma' },
    { ...plain, name: 'Delta' },
  ])
    await send(gateway.url, '/api/channel/', { headers, body })
  operator = await visit(browser, { url: gateway.url })
  await signInAs(operator.page, site)
})

afterAll(async () => {
  await operator?.close()
  await endVisits(browser)
  await upstream?.close()
  await gateway?.stop()
})

const rowOf = (page: Page, name: string): Locator => page.getByRole('row').filter({ hasText: name }).first()

async function choose(page: Page, name: string, action: string): Promise<void> {
  await rowOf(page, name).getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

async function agree(page: Page, action: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: action, exact: true }).click()
}

async function forAll(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: 'All channels' }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

async function pick(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByTitle(option, { exact: true }).last().click()
}

const names = async (page: Page): Promise<string[]> => {
  const cells = await page.getByRole('row').allInnerTexts()
  return cells.flatMap((text) => /Alpha|Beta|Gamma|Delta|Fake upstream/.exec(text)?.[0] ?? [])
}
const shows = (page: Page, expected: readonly string[]) =>
  expect.poll(() => names(page), { timeout: 20_000 }).toEqual(expected)

/** Runs in the page. */
const placesOf = (selector: string): readonly number[] =>
  [...document.querySelectorAll(selector)].map((element) => element.getBoundingClientRect().top)

it('channels are found by name, model, group and status, and can be sorted', async () => {
  const { page } = operator
  await page.goto('/channel')
  await shows(page, ['Alpha', 'Delta', 'Gamma', 'Beta', 'Fake upstream'])
  await page.getByText('Newest first').click()
  await shows(page, ['Delta', 'Gamma', 'Beta', 'Alpha', 'Fake upstream'])
  await page.getByLabel('Search').fill('amma')
  await shows(page, ['Gamma'])
  await page.getByLabel('Search').fill('')
  await page.getByLabel('Model', { exact: true }).fill('o1')
  await shows(page, ['Beta'])
  await page.goto('/channel')
  await pick(page, 'Group', 'vip')
  await shows(page, ['Beta'])
  await page.goto('/channel')
  const provider = page.getByRole('combobox', { name: 'Provider' })
  await provider.click()
  // The lazily loaded select is ready once it has an input element.
  await provider.and(page.locator('input')).fill('OpenAI')
  await page.getByTitle('OpenAI', { exact: true }).last().click()
  await page.waitForURL(/type=1/)
  await shows(page, ['Delta', 'Gamma', 'Beta', 'Alpha', 'Fake upstream'])
  const used = page.getByRole('columnheader', { name: 'Used' })
  await used.getByRole('button').click()
  await expect.poll(() => names(page).then(([first]) => first)).toBe('Fake upstream')
  expect(await used.getAttribute('aria-sort')).toBe('descending')
  await used.getByRole('button').click()
  await expect.poll(() => names(page).then((all) => all.at(-1))).toBe('Fake upstream')
  await page.goto('/channel')
  await pick(page, 'Status', 'Disabled')
  await page.getByText('No channel matches').waitFor()
  await page.goto('/channel')
  await page.getByText('Newest first').click()
})

it('columns can be chosen, are remembered, and can be reset', async () => {
  const { page } = operator
  const header = (name: string) => page.getByRole('columnheader', { name, exact: true })
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('dialog').getByRole('checkbox', { name: 'Weight' }).uncheck()
  await page.getByRole('dialog').getByRole('checkbox', { name: 'Created' }).check()
  await agree(page, 'OK')
  await header('Created').waitFor()
  await page.reload()
  await header('Created').waitFor()
  expect(await header('Weight').count()).toBe(0)
  await page.getByRole('button', { name: 'Columns' }).click()
  await agree(page, 'Reset')
  await agree(page, 'OK')
  await header('Weight').waitFor()
})

it('a number in a row is saved only when it was changed', async () => {
  const { page } = operator
  const saved: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT') saved.push(request.postData() ?? '')
  })
  const weight = page.getByLabel('Weight: Gamma')
  await weight.click()
  await weight.blur()
  await weight.fill('33')
  await weight.press('Escape')
  await weight.blur()
  await weight.fill('12')
  await weight.press('Enter')
  await weight.blur()
  await page.getByText('Channel saved').waitFor()
  await operator.settled()
  expect(await weight.inputValue()).toBe('12')
  expect(saved).toHaveLength(1)
})

it('a channel can be tested, asked for its balance, disabled, enabled, copied and deleted', async () => {
  const { page } = operator
  await rowOf(page, 'Gamma').getByRole('button', { name: 'Test' }).click()
  await page.getByText('“Gamma” answered in').waitFor()
  await page.getByRole('button', { name: 'Ask the upstream for the balance: Gamma' }).click()
  await page.getByText('The balance of “Gamma” is not known').waitFor()
  await rowOf(page, 'Gamma').getByRole('button', { name: 'Disable' }).click()
  await agree(page, 'Disable')
  await rowOf(page, 'Gamma').getByText('Disabled').waitFor()
  await rowOf(page, 'Gamma').getByRole('button', { name: 'Enable' }).click()
  await rowOf(page, 'Gamma').getByText('Enabled').waitFor()
  await choose(page, 'Gamma', 'Duplicate')
  await agree(page, 'Duplicate')
  await rowOf(page, 'Gamma_copy').getByText('Disabled').waitFor()
  await choose(page, 'Gamma_copy', 'Delete')
  await agree(page, 'Delete')
  await page.getByText('Channel deleted').waitFor()
  await rowOf(page, 'Gamma_copy').waitFor({ state: 'detached' })
})

it('several channels can be disabled, enabled and deleted together, and all can be repaired and asked for balances', async () => {
  const { page } = operator
  await page.goto('/channel')
  await rowOf(page, 'Gamma').waitFor()
  await operator.settled()
  const places = () => page.evaluate(placesOf, 'tr, nav, footer')
  const before = await places()
  for (const name of ['Gamma', 'Delta']) await rowOf(page, name).getByRole('checkbox').check()
  const bar = page.getByRole('group', { name: '2 selected' })
  expect(await places()).toEqual(before)
  await bar.getByRole('button', { name: 'Disable' }).click()
  await page.getByText('Disable 2 channels?').waitFor()
  await agree(page, 'Disable')
  await page.getByText('2 channels disabled').waitFor()
  await bar.getByRole('button', { name: 'Enable' }).click()
  await page.getByText('2 channels enabled').waitFor()
  await rowOf(page, 'Gamma').getByRole('checkbox').uncheck()
  await page.getByRole('group', { name: '1 selected' }).getByRole('button', { name: 'Delete' }).click()
  await agree(page, 'Delete')
  await page.getByText('1 channel deleted').waitFor()
  await rowOf(page, 'Delta').waitFor({ state: 'detached' })

  await forAll(page, 'Repair')
  await page.getByText('4 channels reloaded').waitFor()
  await forAll(page, 'Update all balances')
  await agree(page, 'Update all balances')
  await page.getByText('The balances are being updated').waitFor()
  await rowOf(page, 'Gamma').getByRole('button', { name: 'Disable' }).click()
  await agree(page, 'Disable')
  await rowOf(page, 'Gamma').getByText('Disabled').waitFor()
  await forAll(page, 'Delete disabled channels')
  await agree(page, 'Delete')
  await rowOf(page, 'Gamma').waitFor({ state: 'detached' })
})

it('a tag can be disabled, given other models, renamed and removed', async () => {
  const { page } = operator
  await page.getByText('Group by tag').click()
  await rowOf(page, 'greek').getByText('2 of 2').waitFor()
  await choose(page, 'greek', 'Disable all')
  await page.getByText('Disable all channels of “greek”?').waitFor()
  await agree(page, 'Cancel')
  await rowOf(page, 'greek').getByText('2 of 2').waitFor()
  await choose(page, 'greek', 'Disable all')
  await agree(page, 'Disable all')
  await rowOf(page, 'greek').getByText('0 of 2').waitFor()
  await choose(page, 'greek', 'Enable all')
  await rowOf(page, 'greek').getByText('2 of 2').waitFor()
  await rowOf(page, 'greek').getByRole('button', { name: 'Edit tag' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('New tag').fill('latin')
  await form.getByLabel('Models', { exact: true }).fill('gpt-4o-mini,')
  await form.getByRole('button', { name: 'Example' }).click()
  await form.getByRole('button', { name: 'Leave it' }).click()
  await form.getByLabel('Model mapping').fill('{"gpt-4o-mini"')
  await form.getByText('Line 1, column 15: A colon is expected after the name').waitFor()
  await form.getByLabel('Model mapping').fill('{"gpt-4o-mini":"gpt-4o"}')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('2 channels changed').waitFor()
  await rowOf(page, 'latin').getByRole('button', { name: 'Show details' }).click()
  await page.getByText('Alpha').waitFor()
  await rowOf(page, 'latin').getByRole('button', { name: 'Edit tag' }).click()
  await form.getByRole('checkbox').check()
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('No tags yet').waitFor()
  await page.getByText('Group by tag').click()
  await rowOf(page, 'Alpha').waitFor()
  const alpha = await send(gateway.url, '/api/channel/2', { method: 'GET', headers })
  expect(alpha).toMatchObject({ tag: '', models: 'gpt-4o-mini', model_mapping: '{"gpt-4o-mini":"gpt-4o"}' })
  expect(operator.complaints).toEqual([])
})
