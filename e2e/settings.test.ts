import { optionDefinition, optionKeys } from '@tollgate/contract/options/index'
import { startFakeUpstream, type FakeUpstream } from '@tollgate/testkit/fake-upstream'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { visit, type Visit } from './support/browser.ts'
import { startGateway, type Gateway } from './support/gateway.ts'
import { endVisits, launchBrowser } from './support/launch.ts'
import { seedSite, send, signIn, signInAs } from './support/seed.ts'

/**
 * Every setting of operation, rate limit and models is changed with its control, saved and read back; prices
 * are edited in every way.
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
  operator = await visit(browser, { url: gateway.url })
  await signInAs(operator.page, site)
})

afterAll(async () => {
  await operator?.close()
  await endVisits(browser)
  await upstream?.close()
  await gateway?.stop()
})

/**
 * How a setting is changed:
 * - `switch`: it is toggled
 * - `text`: the text is filled in
 * - `tags`: each is entered and confirmed with Enter
 * - `choice`: the option is clicked
 * - `json`: the JSON replaces the whole text; `member`: it is added to the existing object
 * - `line`: a line is added to the table, by its columns, and adds `stored`
 * - `named`: numbers are entered by their names and add `stored`
 */
type Change =
  | { switch: true }
  | { text: string }
  | { tags: readonly string[] }
  | { choice: string }
  | { json: unknown }
  | { member: Readonly<Record<string, unknown>> }
  | { line: Readonly<Record<string, string>>; stored: object }
  | { named: Readonly<Record<string, string>>; stored: object }
/** By the label of the setting. */
type Changes = Readonly<Record<string, Change>>

const turned = { switch: true } as const
const text = (value: string) => ({ text: value })
const json = (value: unknown) => ({ json: value })
const member = (name: string, value: unknown) => ({ member: { [name]: value } })
const line = (cells: Readonly<Record<string, string>>, stored: object) => ({ line: cells, stored })

/** By the key of the section. */
const operation: Readonly<Record<string, Changes>> = {
  general: {
    'Top-up link': text('https://shop.example'),
    'Time zone': text('Europe/Berlin'),
    'Documentation link': text('https://docs.example'),
    'Quota per currency unit': text('400000'),
    Retries: text('2'),
    'Show quota as currency': turned,
    'Token figures in billing routes': turned,
    'Cost in responses': { choice: 'header' },
    'Collapsed side menu': turned,
    'Demo site': turned,
    'Self-use mode': turned,
    'Chat links': json([{ Own: 'https://chat.example/#{key}' }]),
  },
  tokens: {
    'Whole keys in other consoles': turned,
    'Keys by access token': turned,
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
    'Refused words': text('one\ntwo'),
  },
  log: {
    'Usage log': turned,
    'Chat texts in the log': turned,
    'Who may read kept chats': { choice: 'admin' },
    'Characters kept of a call': text('900'),
    'Days to keep chats': text('3'),
    'Size of the log (MB)': text('100'),
    'Days to keep rows': { named: { Consumption: '30' }, stored: { consumption: 30 } },
  },
  dashboard: {
    Dashboard: turned,
    'Dashboard granularity': { choice: 'day' },
  },
  monitoring: {
    'Slow-test limit (seconds)': text('7.5'),
    'Disable failing channels': turned,
    'Enable recovered channels': turned,
    'Texts that disable a channel': text('account is closed'),
  },
  affinity: {
    'Keep sessions on a channel and key': turned,
    'Seconds without a call': text('1800'),
    'Seconds for short caches': text('240'),
    'Follow the channel that served': turned,
    'Sessions remembered': text('5000'),
    'Rules for sessions': json([
      {
        name: 'by user',
        key_sources: [{ type: 'request_header', key: 'x-user' }],
        model_regex: ['^gpt'],
        path_regex: [],
        user_agent_include: [],
        value_regex: '',
        ttl_seconds: 0,
        skip_retry_on_failure: false,
        include_rule_name: false,
      },
    ]),
  },
  alerts: {
    'Send alerts': turned,
    'Language of alerts': { choice: 'zh' },
    'Most alerts an hour': text('30'),
    'Share of failed upstream requests (%)': text('30'),
    'Lowest balance at an upstream': text('5'),
    'Largest debt of all accounts': text('1000'),
  },
  'status-page': {
    'Status page': turned,
    'Models on the page': { tags: ['gpt-4o', 'claude-own'] },
    Incidents: text('Slow answers since noon.'),
  },
  'responses-socket': {
    'Connections per user': text('150'),
    'Connections without balance': text('3'),
    'Responses connections per token': text('50'),
    'Idle seconds of a Responses connection': text('600'),
  },
  members: {
    'Rules by group': json([{ group: 'vip', rule: 'refuse' }]),
    'Harmless members': json(['chat reasoning.depth']),
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
  'price-maps': {
    'Price per call': member('own-by-call', 0.25),
    'Model ratio': member('own-by-usage', 1.5),
    'Output ratio': member('own-by-usage', 4),
    'Cached input ratio': member('own-by-usage', 0.1),
    'Cache write ratio': member('own-by-usage', 1.25),
    'Cache write ratio (1 hour)': member('own-by-usage', 2),
    'Image input ratio': member('own-by-usage', 3),
    'Audio input ratio': member('own-by-usage', 5),
    'Audio output ratio': member('own-by-usage', 2.5),
    'Tool prices': line({ Tool: 'own_tool', '$ per 1,000': '12.5' }, { own_tool: 12.5 }),
    'Charge fees at list prices': turned,
    'At least the vendor’s cost': member('own-by-usage', 1.5),
    'Service tier ratio': line({ 'Service tier': 'own-tier', Ratio: '0.75' }, { 'own-tier': 0.75 }),
    'Price of long context': line(
      { Model: 'own-by-usage', 'Above tokens': '200000', 'Input ×': '2', 'Output ×': '1.5' },
      { 'own-by-usage': [{ above: 200_000, input: 2, output: 1.5 }] },
    ),
  },
  groups: {
    'Group ratio': json({ default: 1, vip: 0.5, staff: 0 }),
    'Groups to choose from': json({ default: 'Everybody', vip: 'Friends' }),
    'Group ratio by user group': line(
      { Group: 'vip', 'Group that is used': 'default', Ratio: '0.9' },
      { vip: { default: 0.9 } },
    ),
    'Order of group auto': line({ Group: 'vip' }, ['vip']),
    'What is held': { choice: 'lenient' },
    'Overdraft factor': text('3'),
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
    'Gemini safety': line(
      { Category: 'HARM_CATEGORY_CIVIC_INTEGRITY', Threshold: 'BLOCK_NONE' },
      { HARM_CATEGORY_CIVIC_INTEGRITY: 'BLOCK_NONE' },
    ),
    'Gemini API version': member('gemini-own', 'v1'),
    'Gemini thinking suffixes': turned,
    'Gemini thinking share': text('0.5'),
    'Gemini drawing models': json(['gemini-draws']),
    'Gemini thinking models': json(['gemini-thinks']),
  },
  claude: {
    'Claude headers': line(
      { Model: 'claude-own', Header: 'anthropic-beta', Value: 'own-feature' },
      { 'claude-own': { 'anthropic-beta': ['own-feature'] } },
    ),
    'Claude output limit': member('claude-own', 4096),
    'Claude thinking suffix': turned,
    'Claude thinking share': text('0.4'),
  },
}

const options = () =>
  send<{ key: string; value: string; is_set?: boolean }[]>(gateway.url, '/api/option/', {
    method: 'GET',
    headers,
  })

const optionsByKey = async () => new Map((await options()).map(({ key, value }) => [key, value]))

/** The labels of the settings tested here are unique. */
const definitionOf = (label: string) =>
  optionKeys.map(optionDefinition).find((definition) => definition.label.en === label)

const keyOf = (label: string): string =>
  optionKeys.find((key) => optionDefinition(key).label.en === label) ?? label

const objectOf = (text: string): object => JSON.parse(text)

async function change(section: Locator, label: string, change: Change): Promise<void> {
  if ('switch' in change) return section.getByRole('switch', { name: label, exact: true }).click()
  const field = section.getByRole('textbox', { name: label, exact: true })
  if ('text' in change) return field.fill(change.text)
  if ('tags' in change) {
    for (const tag of change.tags) {
      await field.fill(tag)
      await field.press('Enter')
    }
    return
  }
  if ('choice' in change) {
    const row = section.locator('div').filter({ has: section.page().getByText(label, { exact: true }) })
    return row
      .getByText(definitionOf(label)?.choices[change.choice]?.en ?? change.choice, { exact: true })
      .last()
      .click()
  }
  const editor = section.getByRole('group', { name: label, exact: true })
  if ('named' in change) {
    for (const [name, cell] of Object.entries(change.named))
      await editor.getByRole('textbox', { name, exact: true }).fill(cell)
    return
  }
  if ('line' in change) {
    await editor.getByRole('button', { name: 'Add a line' }).click()
    const place = await editor.getByRole('button', { name: /^Remove line/ }).count()
    for (const [column, cell] of Object.entries(change.line))
      await editor.getByRole('textbox', { name: `${column} ${place}`, exact: true }).fill(cell)
    return
  }
  if ((await editor.count()) > 0) await editor.getByText('JSON', { exact: true }).click()
  const area = (await editor.count()) > 0 ? editor.getByRole('textbox') : field
  const whole = 'json' in change ? change.json : { ...objectOf(await area.inputValue()), ...change.member }
  await area.fill(JSON.stringify(whole))
}

function expectStored(label: string, change: Change, { before, now }: { before: string; now: string }): void {
  if ('switch' in change) expect(now, label).toBe(String(before !== 'true'))
  else if ('text' in change) expect(now, label).toBe(change.text)
  else if ('tags' in change) expect(now, label).toBe(change.tags.join(','))
  else if ('choice' in change) expect(now, label).toBe(change.choice)
  else if ('json' in change) expect(JSON.parse(now), label).toEqual(change.json)
  else {
    const added = 'member' in change ? change.member : change.stored
    const expected = Array.isArray(added) ? added : { ...objectOf(before), ...added }
    expect(JSON.parse(now), label).toEqual(expected)
  }
}

it.each([
  { tab: 'operation', sections: operation },
  { tab: 'ratelimit', sections: rateLimit },
  { tab: 'models', sections: models },
])('$tab: every setting is changed, saved with its section and read back', async ({ tab, sections }) => {
  const { page } = operator
  await page.goto(`/setting?tab=${tab}`)
  const before = await optionsByKey()
  for (const [key, changes] of Object.entries(sections)) {
    const section = page.locator(`#${key}`)
    for (const [label, one] of Object.entries(changes)) await change(section, label, one)
    // A new setting in this section must be added to the test.
    expect(await section.getByRole('button', { name: /^History of/ }).count(), key).toBe(
      Object.keys(changes).length,
    )
    await section.getByText('Unsaved changes').waitFor()
    await section.getByRole('button', { name: /^Save/ }).click()
    await section.getByText('Unsaved changes').waitFor({ state: 'detached' })
  }
  expect(await page.getByRole('button', { name: /^Save:/ }).count()).toBe(Object.keys(sections).length)
  const stored = await optionsByKey()
  const walked = Object.values(sections).flatMap((changes) => Object.entries(changes))
  for (const [label, one] of walked) {
    const key = keyOf(label)
    expectStored(label, one, { before: before.get(key) ?? '', now: stored.get(key) ?? '' })
  }
  const changed = [...stored].filter(([key, value]) => before.get(key) !== value)
  expect(changed).toHaveLength(walked.length)
  expect(operator.complaints).toEqual([])
})

const isSet = async () => (await options()).find(({ key }) => key === 'LogWebhookSecret')?.is_set

it('a secret is saved, never shown again, and removed', async () => {
  const { page } = operator
  await page.goto('/setting?tab=system')
  const section = page.locator('#log-sinks')
  const field = section.getByLabel('Webhook secret', { exact: true })
  const save = async () => {
    await section.getByRole('button', { name: /^Save/ }).click()
    await section.getByText('Unsaved changes').waitFor({ state: 'detached' })
  }
  await field.fill('a signing secret')
  await save()
  expect([await isSet(), await field.inputValue()]).toEqual([true, ''])
  await section.getByRole('button', { name: 'Remove', exact: true }).click()
  await save()
  expect(await isSet()).toBe(false)
})

it('a setting is found by words of either language and opened at its place', async () => {
  const { page } = operator
  await page.goto('/setting')
  await page.getByPlaceholder('Search settings').fill('签到奖励')
  await page.getByRole('link', { name: /^Check-in reward/ }).click()
  await page.waitForURL(/tab=operation#CheckInQuota$/)
  await inView('#CheckInQuota')
  await page.getByRole('button', { name: 'History of “Check-in reward”' }).click()
  await page.getByRole('dialog').waitFor()
  await inView('#CheckInQuota')
})

it('the link of a section opens it, and the index marks the section being read', async () => {
  const { page } = operator
  const marked = page.locator('nav a[aria-current="location"]')
  await page.goto('/setting?tab=operation#quota')
  await inView('#quota')
  await expect.poll(() => marked.allInnerTexts()).toEqual(['Quota'])
  await page.getByRole('button', { name: 'Copy the address of “Quota”' }).click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe(`${gateway.url}/setting?tab=operation#quota`)
  await page.mouse.move(700, 450)
  await page.mouse.wheel(0, -100_000)
  await expect.poll(() => marked.allInnerTexts()).toEqual(['General'])
  expect(operator.complaints).toEqual([])
})

/** Near the upper edge, below the site header. */
async function inView(selector: string): Promise<void> {
  const top = () => operator.page.locator(selector).evaluate((element) => element.getBoundingClientRect().top)
  await expect.poll(async () => Math.abs((await top()) - 72), { timeout: 20_000 }).toBeLessThan(16)
}

it('an invalid value is reported at its field, and nothing of its section is saved', async () => {
  const { page } = operator
  await page.goto('/setting?tab=models')
  const gemini = page.locator('#gemini')
  await gemini.getByRole('textbox', { name: 'Gemini thinking share' }).fill('0.05')
  await gemini.getByText('Enter a number from 0.1 to 1.').waitFor()
  await gemini.getByRole('switch').first().click()
  const before = await options()
  await gemini.getByRole('button', { name: /^Save/ }).click()
  await page.getByText('Please correct the marked fields first').waitFor()
  expect(await options()).toEqual(before)
  await gemini.getByRole('button', { name: 'Discard' }).click()
  await gemini.getByText('Unsaved changes').waitFor({ state: 'detached' })
})

it('settings that could not be saved are named and stay entered, and the others are saved', async () => {
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
  await page.getByText('Saved, except for: Calls in the window').waitFor()
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

it('prices are added, validated, set for several models, removed and restored', async () => {
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
  const priced = prices.getByRole('row').filter({ has: page.getByRole('cell', { name: '$2', exact: true }) })
  expect(await priced.count()).toBe(2)
  await prices.getByRole('button', { name: 'Apply' }).click()
  await prices.getByText('Unsaved changes').waitFor({ state: 'detached' })
  expect(operator.complaints).toEqual([])
})

it('a typo in a price map is reported with its position and never saved, and ratios can be reset', async () => {
  const { page } = operator
  const maps = page.locator('#price-maps')
  const ratios = maps.getByRole('textbox', { name: 'Model ratio', exact: true })
  const good = await ratios.inputValue()
  const before = await options()
  for (const typo of [good.replace(',', ',,'), '{"gpt-4o": "1.5x"}', '{"gpt-4o": -1}', '[]']) {
    await ratios.fill(typo)
    await maps.getByText(/Line \d+, column \d+: .* Enter a JSON object of names to numbers/).waitFor()
    await maps.getByRole('button', { name: /^Save/ }).click()
    await page.getByText('Please correct the marked fields first').first().waitFor()
  }
  await ratios.fill('{"gpt-4o": 1.25,}')
  await page.getByText('One of the price maps below is not a valid JSON map').waitFor()
  expect(await options()).toEqual(before)
  await maps.getByRole('button', { name: 'Discard' }).click()
  await maps.getByRole('button', { name: 'Reset model ratios' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reset model ratios' }).click()
  await page.getByText('Model ratios are back to the built-in ones').waitFor()
  expect(operator.complaints).toEqual([])
})

it('every job can be run by hand and shows that it ran', async () => {
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
