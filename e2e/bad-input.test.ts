import { startFakeUpstream, type FakeUpstream } from '@tollgate/testkit/fake-upstream'
import type { Browser, Locator, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BadForm, EMOJI, forms, LONG, TURNED, WRONG_AMOUNT } from './support/bad-forms.ts'
import { follow, visit, type Visit } from './support/browser.ts'
import { startGateway, type Gateway } from './support/gateway.ts'
import { endVisits, launchBrowser } from './support/launch.ts'
import { seedSite, send, setOptions, signIn, signInAs, type Site } from './support/seed.ts'

/**
 * Forms filled with invalid values: each field shows its error and keeps the entered text, and nothing is
 * saved.
 */
let gateway: Gateway
let upstream: FakeUpstream
let browser: Browser
let site: Site
let headers: Record<string, string>
let operator: Visit

beforeAll(async () => {
  ;[gateway, upstream, browser] = await Promise.all([startGateway(), startFakeUpstream(), launchBrowser()])
  site = await seedSite(gateway.url, upstream.url)
  headers = await signIn(gateway.url, site)
  const payment = { PayAddress: 'https://pay.example', EpayId: '1', EpayKey: 'secret' }
  await setOptions(gateway.url, headers, { ...payment, EmailVerificationEnabled: 'false' })
  operator = await visit(browser, { url: gateway.url })
  await signInAs(operator.page, site)
  // The browser asks before leaving a form with unsaved changes.
  operator.page.on('dialog', (question) => void question.accept())
})

afterAll(async () => {
  await operator?.close()
  await endVisits(browser)
  await upstream?.close()
  await gateway?.stop()
})

const fieldOf = (scope: Locator, label: string): Locator =>
  scope.getByRole('textbox', { name: new RegExp(`^${label.replaceAll(/[()]/g, '\\$&')}`) }).first()

it.each(Object.entries(forms))(
  'the %s form shows errors for invalid values at its fields and keeps them',
  async (_name, form) => {
    const { page } = operator
    const saves = countSaves(page)
    const scope = await openForm(page, form)
    for (const [label, text] of form.fields) await fieldOf(scope, label).fill(text)
    const kept = await valuesOf(scope, form)
    await scope.getByRole('button', { name: form.submit }).last().click()
    for (const [label, , said] of form.fields)
      await expect.poll(() => scope.innerText(), { message: label }).toContain(said)
    expect(await valuesOf(scope, form)).toEqual(kept)
    expect(saves()).toEqual([])
    expect(operator.complaints).toEqual([])
  },
)

it('a price that is not a number is refused at its field', async () => {
  const { page } = operator
  const saves = countSaves(page)
  await page.goto('/setting?tab=operation')
  await page.locator('#prices').getByRole('button', { name: 'Add a model' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Model', { exact: true }).fill('free-model')
  await form.getByText('By call').click()
  const input = form.getByLabel('Price of a call')
  await input.fill('cheap')
  await form.getByRole('button', { name: 'Set' }).click()
  await form.getByText(WRONG_AMOUNT).waitFor()
  expect(await input.inputValue()).toBe('cheap')
  expect(saves()).toEqual([])
})

it('a top-up accepts whole amounts only, and an impossible code is reported as unknown', async () => {
  const { page } = operator
  await page.goto('/topup')
  await page.getByText(/You pay ¥/).waitFor()
  for (const text of ['much', '1.5', '']) {
    await page.getByLabel('Amount').fill(text)
    await page.getByText('Enter a whole number of at least $1').waitFor()
    expect(await page.getByLabel('Amount').inputValue()).toBe(text)
    expect(await page.getByRole('button', { name: 'Alipay' }).isDisabled()).toBe(true)
  }
  for (const text of [LONG, EMOJI, TURNED]) {
    await page.getByLabel('Redemption code').fill(text)
    await page.getByRole('button', { name: 'Redeem', exact: true }).click()
    await page.getByText('no such code').waitFor()
    expect(await page.getByLabel('Redemption code').inputValue()).toBe(text)
  }
})

it('a visitor who registers with invalid values sees an error at each field', async () => {
  const visitor = await visit(browser, { url: gateway.url })
  const { page } = visitor
  await page.goto('/register')
  for (const name of [LONG, EMOJI, TURNED, 'a b']) {
    await page.getByLabel('Username').fill(name)
    await page.getByLabel('Password', { exact: true }).fill('short')
    await page.getByLabel('Password again').fill('other')
    await page.getByRole('button', { name: 'Register' }).click()
    await page.getByText('Up to 12 characters, without spaces and @.').first().waitFor()
    await page.getByText('must be at least 8 characters').waitFor()
    await page.getByText('do not match').waitFor()
    expect(await page.getByLabel('Username').inputValue()).toBe(name)
  }
  await visitor.close()
})

it('a browser with an unsupported language gets Chinese, error messages included', async () => {
  const visitor = await browser.newContext({ baseURL: gateway.url, locale: 'tlh' })
  const page = await visitor.newPage()
  await page.goto('/login')
  await page.getByLabel('用户名或邮箱').fill('nobody')
  await page.getByLabel('密码', { exact: true }).fill('wrong-password')
  await page.getByRole('button', { name: '登录', exact: true }).click()
  await page.getByText(/用户名或密码/).waitFor()
  await visitor.close()
})

it.each([-6, 6])('a browser whose clock is %d years wrong creates no expired token', async (years) => {
  const wrong = await visit(browser, { url: gateway.url })
  await signInAs(wrong.page, site)
  const now = new Date()
  await wrong.page.clock.install({ time: new Date(now.setFullYear(now.getFullYear() + years)) })
  await wrong.page.goto('/token')
  await wrong.page.getByRole('button', { name: 'New token' }).click()
  const form = wrong.page.getByRole('dialog')
  await form.getByLabel(/^Name/).fill(`clock ${years}`)
  await form.getByRole('button', { name: '1 day' }).click()
  await form.getByRole('button', { name: 'Create' }).click()
  if (years > 0) await wrong.page.getByRole('dialog', { name: 'Your new key' }).waitFor()
  else await form.getByText('Expiry: this time has passed; choose a later one').waitFor()
  expect(await named(`clock ${years}`)).toBe(years > 0 ? 1 : 0)
  await wrong.close()
})

/** Simulates the status of a site whose database was edited by hand. */
async function answerZero(route: Route): Promise<void> {
  const answer = await route.fetch()
  const body: { data: object } = await answer.json()
  await route.fulfill({ json: { ...body, data: { ...body.data, quota_per_unit: 0, price: 0 } } })
}

it('a currency rate of 0 is refused, and a site that returns one shows no broken amounts', async () => {
  const { page } = operator
  await expect(setOptions(gateway.url, headers, { QuotaPerUnit: '0' })).rejects.toThrow()
  await expect(setOptions(gateway.url, headers, { Price: '0' })).rejects.toThrow()
  await page.route('**/api/status', answerZero)
  await page.goto('/connect')
  for (const path of ['/token', '/topup', '/personal', '/user', '/pricing', '/detail', '/log']) {
    await operator.settled()
    await follow(page, path)
    await operator.settled()
    expect(await page.locator('body').innerText(), path).not.toMatch(/NaN|Infinity|undefined/)
  }
  await page.unroute('**/api/status', answerZero)
  await page.goto('/token')
  await operator.settled()
})

it.each([
  ['token', '/token', 'New token', '**/api/token'],
  ['code', '/redemption', 'New codes', '**/api/redemption'],
  ['user', '/user', 'New user', '**/api/user'],
])('a %s is saved once although the connection broke before and after the save', async (...kind) => {
  const [thing, path, open, address] = kind
  const { page } = operator
  const name = `net-${thing}`
  let attempt = 0
  await page.route(address, async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    attempt++
    if (attempt === 1) return route.abort('connectionreset')
    if (attempt === 2) {
      await route.fetch()
      return route.abort('connectionreset')
    }
    return route.continue()
  })
  await page.goto(path)
  await page.getByRole('button', { name: open }).first().click()
  const form = page.getByRole('dialog')
  await fieldOf(form, thing === 'user' ? 'Username' : 'Name').fill(name)
  if (thing === 'user') await form.getByLabel(/^Password/).fill('long-enough')
  for (let broken = 0; broken < 2; broken++) {
    await form.getByRole('button', { name: 'Create' }).click()
    await expect.poll(() => attempt).toBe(broken + 1)
    await form.getByText('Unable to connect to the server.').waitFor()
    expect(await fieldOf(form, thing === 'user' ? 'Username' : 'Name').inputValue()).toBe(name)
  }
  await form.getByRole('button', { name: 'Create' }).click()
  await form.getByRole('button', { name: 'Create' }).waitFor({ state: 'detached' })
  expect(attempt).toBe(3)
  expect(await named(name)).toBe(1)
  await page.unroute(address)
})

const read = <Data>(path: string) => send<Data>(gateway.url, path, { method: 'GET', headers })

/** Number of tokens, codes and users with this name. */
async function named(name: string): Promise<number> {
  const tokens = await read<{ name: string }[]>('/api/token/?p=0&size=100')
  const codes = await read<{ items: { name: string }[] }>('/api/redemption/?p=1&page_size=100')
  const users = await read<{ items: { username: string }[] }>('/api/user/?p=1&page_size=100')
  const names = [...tokens, ...codes.items].map((row) => row.name)
  return [...names, ...users.items.map(({ username }) => username)].filter((one) => one === name).length
}

async function openForm(page: Page, { path, open, scope }: BadForm): Promise<Locator> {
  await page.goto(path)
  if (open !== undefined) await page.getByRole('button', { name: open }).first().click()
  return page.locator(scope).last()
}

function valuesOf(scope: Locator, { fields }: BadForm): Promise<readonly string[]> {
  return Promise.all(fields.map(([label]) => fieldOf(scope, label).inputValue()))
}

/** Records requests that change data, from now on. */
function countSaves(page: Page): () => readonly string[] {
  const saves: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' && request.url().includes('/api/')) saves.push(request.url())
  })
  return () => saves
}
