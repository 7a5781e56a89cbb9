import { startFakeUpstream, type FakeUpstream } from '@tollgate/testkit/fake-upstream'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launchBrowser, visit, type Visit } from './support/browser.ts'
import { startGateway, type Gateway } from './support/gateway.ts'
import { seedSite, send, signIn, signInAs } from './support/seed.ts'

/** Every setting of operation, rate limit and models is changed at its control and saved; prices are edited in every way. */
let gateway: Gateway
let upstream: FakeUpstream
let browser: Browser
let operator: Visit
let headers: Record<string, string>

beforeAll(async () => {
  ;[gateway, upstream, browser] = await Promise.all([startGateway(), startFakeUpstream(), launchBrowser()])
  const site = await seedSite(gateway.url, upstream.url)
  headers = await signIn(gateway.url, { username: site.username, password: site.password })
  operator = await visit(browser, { url: gateway.url })
  await signInAs(operator.page, site)
})

afterAll(async () => {
  await operator?.close()
  await browser?.close()
  await upstream?.close()
  await gateway?.stop()
})

/** A switch is turned over; a text goes into its field; JSON goes into the text beside the table; a choice is pressed. */
type Change = { switch: true } | { text: string } | { json: unknown } | { choice: string }
/** By the label of the setting. */
type Changes = Readonly<Record<string, Change>>

const turned = { switch: true } as const
const text = (value: string) => ({ text: value })
const json = (value: unknown) => ({ json: value })

/** By the key of the section. */
const operation: Readonly<Record<string, Changes>> = {
  general: {
    'Top-up link': text('https://shop.example'),
    'Documentation link': text('https://docs.example'),
    'Quota per currency unit': text('400000'),
    Retries: text('2'),
    'Show quota as currency': turned,
    'Token figures in billing routes': turned,
    'Collapsed side menu': turned,
    'Demo site': turned,
    'Self-use mode': turned,
    'Chat links': json([{ Own: 'https://chat.example/#{key}' }]),
  },
  drawing: {
    Drawing: turned,
    Tasks: turned,
    Callbacks: turned,
    'Account filter': turned,
    'Serve images itself': turned,
    'Remove speed switches': turned,
    'Wait for success': turned,
  },
  filter: {
    'Word filter': turned,
    'Filter prompts': turned,
    'Stop on a match': turned,
    'Refused words': text('one\ntwo'),
    'Stream queue length': text('3'),
  },
  log: {
    'Usage log': turned,
    'Chat texts in the log': turned,
    'Who may read kept chats': { choice: 'admin' },
    'Characters kept of a call': text('900'),
    'Days to keep chats': text('3'),
    'Size of the log (MB)': text('100'),
  },
  dashboard: {
    Dashboard: turned,
    'Dashboard interval (minutes)': text('10'),
    'Dashboard granularity': { choice: 'day' },
  },
  monitoring: {
    'Slow-test limit (seconds)': text('7.5'),
    'Disable failing channels': turned,
    'Enable recovered channels': turned,
    'Texts that disable a channel': text('account is closed'),
  },
  'check-in': {
    'Daily check-in': turned,
    'Check-in reward': text('2000'),
    'Largest check-in reward': text('5000'),
  },
  quota: {
    'Quota of a new user': text('100'),
    'Assumed tokens of a call': text('600'),
    'Reward of the inviter': text('200'),
    'Reward of the invited': text('300'),
    'Low-balance warning': text('2000'),
    Rebate: turned,
    'Rebate (percent)': text('12.5'),
  },
  groups: {
    'Group ratio': json({ default: 1, vip: 0.5, staff: 0 }),
    'Groups to choose from': json({ default: 'Everybody', vip: 'Friends' }),
    'What is held': { choice: 'lenient' },
    'Make calls fit the balance': turned,
  },
}

const rateLimit: Readonly<Record<string, Changes>> = {
  'model-requests': {
    'Limit calls': turned,
    'Window (minutes)': text('5'),
    'Calls in the window': text('500'),
    'Successful calls in the window': text('400'),
  },
}

const models: Readonly<Record<string, Changes>> = {
  global: {
    'Pass requests through': turned,
    'Hide upstream errors': turned,
    'Block browser extensions': turned,
    'Keep-alive in streams': turned,
    'Keep-alive interval (seconds)': text('30'),
  },
  gemini: {
    'Gemini thinking suffixes': turned,
    'Gemini thinking share': text('0.5'),
    'Gemini drawing models': json(['gemini-draws']),
    'Gemini thinking models': json(['gemini-thinks']),
  },
  claude: {
    'Claude thinking suffix': turned,
    'Claude thinking share': text('0.4'),
  },
}

const options = () =>
  send<{ key: string; value: string }[]>(gateway.url, '/api/option/', { method: 'GET', headers })

async function change(section: Locator, label: string, change: Change): Promise<void> {
  if ('switch' in change) return section.getByRole('switch', { name: label, exact: true }).click()
  if ('text' in change) return section.getByRole('textbox', { name: label, exact: true }).fill(change.text)
  if ('choice' in change) {
    const row = section.locator('div').filter({ has: section.page().getByText(label, { exact: true }) })
    return row.getByText(change.choice, { exact: true }).last().click()
  }
  const editor = section.getByRole('group', { name: label, exact: true })
  await editor.getByText('JSON', { exact: true }).click()
  return editor.getByRole('textbox').fill(JSON.stringify(change.json))
}

it.each([
  { tab: 'operation', sections: operation },
  { tab: 'ratelimit', sections: rateLimit },
  { tab: 'models', sections: models },
])('$tab: every setting is changed and saved with its section', async ({ tab, sections }) => {
  const { page } = operator
  await page.goto(`/setting?tab=${tab}`)
  const before = new Map((await options()).map(({ key, value }) => [key, value]))
  let count = 0
  for (const [key, changes] of Object.entries(sections)) {
    const section = page.locator(`#${key}`)
    for (const [label, one] of Object.entries(changes)) {
      await change(section, label, one)
      count += 1
    }
    await section.getByText('Unsaved changes').waitFor()
    await section.getByRole('button', { name: /^Save/ }).click()
    await section.getByText('Unsaved changes').waitFor({ state: 'detached' })
  }
  const changed = (await options()).filter(({ key, value }) => before.get(key) !== value)
  expect(changed.length).toBe(count)
  expect(operator.complaints).toEqual([])
})

it('what cannot be is said at its field, and nothing of its section is saved', async () => {
  const { page } = operator
  await page.goto('/setting?tab=models')
  const gemini = page.locator('#gemini')
  await gemini.getByRole('textbox', { name: 'Gemini thinking share' }).fill('0.05')
  await gemini.getByText('Accepted is a number from 0.1 to 1.').waitFor()
  await gemini.getByRole('switch').first().click()
  const before = await options()
  await gemini.getByRole('button', { name: /^Save/ }).click()
  await page.getByText('Please correct what is marked first').waitFor()
  expect(await options()).toEqual(before)
  await gemini.getByRole('button', { name: 'Discard' }).click()
  await gemini.getByText('Unsaved changes').waitFor({ state: 'detached' })
})

it('of several settings those that could not be saved are named and stay entered, the others are saved', async () => {
  const { page } = operator
  await page.goto('/setting?tab=ratelimit')
  const section = page.locator('#model-requests')
  const count = section.getByRole('textbox', { name: 'Calls in the window', exact: true })
  await count.fill('700')
  await section.getByRole('textbox', { name: 'Window (minutes)', exact: true }).fill('9')
  const refusal = { success: false, message: 'the disk is full' }
  await page.route('**/api/option', (route) =>
    route.request().postData()?.includes('LimitCount') === true
      ? route.fulfill({ json: refusal })
      : route.continue(),
  )
  await section.getByRole('button', { name: /^Save/ }).click()
  await page.getByText('please try again: Calls in the window').waitFor()
  await section.getByText('the disk is full').waitFor()
  expect(await count.inputValue()).toBe('700')
  const stored = new Map((await options()).map(({ key, value }) => [key, value]))
  expect(stored.get('ModelRequestRateLimitDurationMinutes')).toBe('9')
  expect(stored.get('ModelRequestRateLimitCount')).toBe('500')
  await page.unroute('**/api/option')
  await section.getByRole('button', { name: /^Save/ }).click()
  await section.getByText('Unsaved changes').waitFor({ state: 'detached' })
})

const rowOf = (place: Locator, name: string): Locator =>
  place
    .getByRole('row')
    .filter({ has: place.page().getByText(name, { exact: true }) })
    .first()

async function only(page: Page, which: string): Promise<void> {
  await page.locator('#prices').getByText(which, { exact: true }).first().click()
}

it('prices are added, refused, given to several, taken away and put back', async () => {
  const { page } = operator
  await page.goto('/setting?tab=operation')
  const prices = page.locator('#prices')
  const form = page.getByRole('dialog')
  await prices.getByRole('button', { name: 'Add a model' }).click()
  await form.getByRole('button', { name: 'Set' }).click()
  await form.getByText('Please enter a model').waitFor()
  await form.getByText('Please enter a number').waitFor()
  await form.getByLabel('Model').fill('gpt-4o')
  await form.getByText('This model is in the list already').waitFor()
  await form.getByLabel('Model').fill('own-model')
  await form.getByText('By call').click()
  await form.getByLabel('Price of a call').fill('0')
  await form.getByText('The price of a call cannot be 0').waitFor()
  await form.getByLabel('Price of a call').fill('0.02')
  await form.getByRole('button', { name: 'Set' }).click()
  await prices.getByLabel('Search').fill('own-model')
  await rowOf(prices, 'own-model').getByText('$0.02').waitFor()
  await prices.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('Prices of models: saved').waitFor()
  await only(page, 'By call')
  await rowOf(prices, 'own-model').waitFor()
  await rowOf(prices, 'own-model').getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Remove the price' }).click()
  await prices.getByText('No model fits these filters').waitFor()
  await prices.getByRole('button', { name: 'Discard' }).click()
  await rowOf(prices, 'own-model').getByText('$0.02').waitFor()

  await only(page, 'All')
  await prices.getByLabel('Search').fill('gpt-4o-mini')
  await rowOf(prices, 'own-model').waitFor({ state: 'detached' })
  await rowOf(prices, 'gpt-4o-mini').waitFor()
  for (const box of (await prices.getByRole('row').getByRole('checkbox').all()).slice(1, 3)) await box.check()
  await prices.getByRole('button', { name: /^Price 2 models/ }).click()
  await form.getByLabel('Input', { exact: true }).fill('2')
  await form.getByRole('button', { name: 'Set' }).click()
  expect(await prices.getByRole('cell', { name: '$2', exact: true }).count()).toBe(2)
  await prices.getByRole('button', { name: 'Apply' }).click()
  await prices.getByText('Unsaved changes').waitFor({ state: 'detached' })
  expect(operator.complaints).toEqual([])
})

it('a price map with a typo is said at its place and never saved; ratios go back to the built-in ones', async () => {
  const { page } = operator
  const maps = page.locator('#price-maps')
  const ratios = maps.getByRole('textbox', { name: 'Model ratio', exact: true })
  const good = await ratios.inputValue()
  const before = await options()
  for (const typo of [good.replace(',', ',,'), '{"gpt-4o": "1.5x"}', '{"gpt-4o": -1}', '[]']) {
    await ratios.fill(typo)
    await maps.getByText('Accepted is a JSON object of names to numbers').waitFor()
    await maps.getByRole('button', { name: /^Save/ }).click()
    await page.getByText('Please correct what is marked first').first().waitFor()
  }
  await ratios.fill('{"gpt-4o": 1.25,}')
  await page.getByText('One of the price maps below is no valid JSON map').waitFor()
  expect(await options()).toEqual(before)
  await maps.getByRole('button', { name: 'Discard' }).click()
  await maps.getByRole('button', { name: 'Reset model ratios' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reset model ratios' }).click()
  await page.getByText('Model ratios are back to the built-in ones').waitFor()
  expect(operator.complaints).toEqual([])
})

it('every job is run by hand, and each tells that it ran', async () => {
  const { page } = operator
  await page.goto('/job')
  await page.getByRole('button', { name: 'Run now' }).first().waitFor()
  const rows = page.getByRole('row').filter({ has: page.getByRole('button', { name: 'Run now' }) })
  const count = await rows.count()
  expect(count).toBeGreaterThanOrEqual(4)
  for (let index = 0; index < count; index++) {
    await rows.nth(index).getByRole('button', { name: 'Run now' }).click()
    await page.getByText('was started').nth(0).waitFor()
  }
  await expect.poll(() => page.getByText('Not yet', { exact: true }).count(), { timeout: 30_000 }).toBe(0)
  expect(await page.getByText('Failed, see the log').count()).toBe(0)
  expect(operator.complaints).toEqual([])
})
