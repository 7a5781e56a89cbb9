import { readFile } from 'node:fs/promises'
import { startFakeUpstream, type FakeUpstream } from '@tollgate/testkit/fake-upstream'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { visit, type Visit } from './support/browser.ts'
import { MERCHANT, openPaymentHouse, type PaymentHouse } from './support/epay.ts'
import { startGateway, type Gateway } from './support/gateway.ts'
import { endVisits, launchBrowser } from './support/launch.ts'
import { seedSite, send, setOptions, signIn, signInAs } from './support/seed.ts'

/** Trade: codes are created and redeemed, quota is paid for, and models get other prices. */
let gateway: Gateway
let upstream: FakeUpstream
let browser: Browser
let house: PaymentHouse
let operator: Visit
let headers: Record<string, string>
const codes: string[] = []

beforeAll(async () => {
  ;[gateway, upstream, browser, house] = await Promise.all([
    startGateway(),
    startFakeUpstream(),
    launchBrowser(),
    openPaymentHouse(),
  ])
  const site = await seedSite(gateway.url, upstream.url)
  headers = await signIn(gateway.url, { username: site.username, password: site.password })
  const shop = { ...MERCHANT, PayAddress: house.url, ServerAddress: gateway.url }
  await setOptions(gateway.url, headers, shop)
  operator = await visit(browser, { url: gateway.url })
  await signInAs(operator.page, site)
})

afterAll(async () => {
  await operator?.close()
  await endVisits(browser)
  await house?.close()
  await upstream?.close()
  await gateway?.stop()
})

function rowOf(page: Page, text: string) {
  return page.getByRole('row').filter({ hasText: text }).first()
}

async function choose(page: Page, row: string, action: string): Promise<void> {
  await rowOf(page, row).getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

it('codes are created, downloaded, edited, disabled and deleted', async () => {
  const { page } = operator
  await page.goto('/redemption')
  await page.getByRole('button', { name: 'New codes' }).first().click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name').fill('Launch')
  await form.getByLabel('How many').fill('3')
  await form.getByRole('button', { name: 'Create' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  const text = await readFile(await (await download).path(), 'utf8')
  codes.push(...text.trim().split('\n'))
  expect(codes).toHaveLength(3)
  await page.getByRole('button', { name: 'Done' }).click()

  await rowOf(page, 'Launch').getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Late')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByText('Code saved').waitFor()
  await choose(page, 'Late', 'Disable')
  await rowOf(page, 'Late').getByText('Disabled').waitFor()
  await page.getByRole('button', { name: 'Clean up' }).click()
  await page.getByRole('menuitem', { name: 'Delete all disabled codes' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('1 code deleted').waitFor()
  await rowOf(page, 'Late').waitFor({ state: 'detached' })
})

it('a code is added to the balance once', async () => {
  const { page } = operator
  await page.goto('/topup')
  const redeem = async (code: string) => {
    const button = page.getByRole('button', { name: 'Redeem', exact: true })
    const enter = async () => {
      await page.getByLabel('Redemption code').fill(code)
      return button.isEnabled()
    }
    // The field is cleared once the balance has been reloaded.
    await expect.poll(enter, { timeout: 20_000 }).toBe(true)
    await button.click()
  }
  await redeem(codes[0] ?? '')
  await page.getByText('$0.200000 added to your balance').waitFor()
  await redeem(codes[0] ?? '')
  await page.getByRole('alert').filter({ hasText: 'used' }).waitFor()
})

it('quota is paid for at the payment gateway and appears in orders and statement', async () => {
  const { page } = operator
  await page.getByLabel('Amount').fill('10')
  await page.getByText('You pay ¥73.00').waitFor()
  await page.getByRole('button', { name: 'Alipay' }).click()
  await page.getByText('Top up $10?').waitFor()
  const left = page.waitForEvent('popup')
  await page.getByRole('dialog').getByRole('button', { name: 'Pay' }).click()
  await (await left).close()
  const waiting = rowOf(page, 'Waiting for payment')
  for (const text of ['Alipay', '¥73.00']) await waiting.getByText(text).waitFor()
  const popup = page.waitForEvent('popup')
  await waiting.getByRole('button', { name: 'Pay' }).click()
  const shop = await popup
  await shop.getByRole('button', { name: 'Pay 73.00' }).click()
  await shop.waitForURL('**/topup')
  await rowOf(shop, '$10.000000').getByText('Paid', { exact: true }).waitFor()
  await shop.close()
  await page.reload()
  await rowOf(page, '$10.000000').getByText('Paid', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'Statement' }).click()
  const sheet = page.getByRole('article')
  for (const credit of ['$0.200000', '$10.000000'])
    await sheet.getByRole('cell', { name: credit, exact: true }).waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  expect(await readFile(await (await download).path(), 'utf8')).toContain('5000000')
})

it('a model gets another price, in dollars or as ratios, and visitors see it', async () => {
  const { page } = operator
  await page.goto('/setting?tab=operation')
  const prices = page.locator('#prices')
  await prices.getByRole('textbox', { name: 'Search' }).fill('gpt-4o-mini')
  await rowOf(page, 'gpt-4o-mini').getByRole('button', { name: 'Change' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Input', { exact: true }).fill('3')
  await form.getByLabel('Output', { exact: true }).fill('10')
  await form.getByRole('button', { name: 'Set' }).click()
  await prices.getByText('Unsaved changes').waitFor()
  await prices.getByText('Ratios', { exact: true }).click()
  await rowOf(page, 'gpt-4o-mini').getByRole('cell', { name: '1.5', exact: true }).waitFor()
  await prices.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('Prices of models: saved').waitFor()
  await page.goto('/pricing/model?name=gpt-4o-mini')
  await rowOf(page, 'Output').getByText('$10').waitFor()
})

it('a model gets prices for tools, tiers and long calls in dollars, and visitors can calculate with them', async () => {
  const { page } = operator
  await page.goto('/setting?tab=operation')
  const prices = page.locator('#prices')
  await prices.getByRole('textbox', { name: 'Search' }).fill('gpt-4o-mini')
  await rowOf(page, 'gpt-4o-mini').getByRole('button', { name: 'Change' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Input', { exact: true }).fill('3')
  await form.getByLabel('Output', { exact: true }).fill('10')
  await form.getByLabel('Cache read', { exact: true }).fill('')
  await form.getByLabel('Web search', { exact: true }).fill('12')
  await form.getByLabel('flex', { exact: true }).fill('1.5')
  await form.getByRole('button', { name: 'Add a line' }).click()
  await form.getByRole('textbox', { name: 'Above tokens 1' }).fill('200000')
  await form.getByRole('textbox', { name: 'Input $ 1' }).fill('6')
  await form.getByRole('textbox', { name: 'Output $ 1' }).fill('15')
  await form.getByRole('textbox', { name: 'Cache read $ 1' }).fill('1')
  await form.getByRole('button', { name: 'Set' }).click()
  await form.getByText('Please enter “Cache read” above first').waitFor()
  await form.getByRole('textbox', { name: 'Cache read $ 1' }).fill('')
  await form.getByRole('button', { name: 'Set' }).click()
  await form.waitFor({ state: 'detached' })
  await prices.getByText('Tools and tiers', { exact: true }).click()
  for (const figure of ['$12', '× 0.5', '> 200,000'])
    await rowOf(page, 'gpt-4o-mini').getByRole('cell', { name: figure, exact: true }).waitFor()
  await prices.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('Prices of models: saved').waitFor()

  await page.goto('/pricing/model?name=gpt-4o-mini')
  await rowOf(page, 'Web search').getByText('$12.00').waitFor()
  await rowOf(page, 'flex').getByText('$1.50').waitFor()
  await page.getByRole('table', { name: 'Long context' }).getByText('$15.00').waitFor()
  await page.getByLabel('Input', { exact: true }).fill('0')
  await page.getByLabel('Output', { exact: true }).fill('0')
  await page.getByText('Tools used in one call').click()
  await page.getByLabel('Web search', { exact: true }).fill('2')
  await page.getByText('$0.024000').waitFor()
})

it('the second of two operators who change prices sees the conflict, and no change is lost', async () => {
  const { page } = operator
  await page.goto('/setting?tab=operation')
  const prices = page.locator('#prices')
  await prices.getByRole('textbox', { name: 'Search' }).fill('gpt-4o-mini')
  await rowOf(page, 'gpt-4o-mini').getByRole('button', { name: 'Change' }).click()
  await page.getByRole('dialog').getByLabel('File search', { exact: true }).fill('7')
  await page.getByRole('dialog').getByRole('button', { name: 'Set' }).click()
  await prices.getByText('Unsaved changes').waitFor()

  const options = await send<readonly { key: string; value: string }[]>(gateway.url, '/api/option/', {
    method: 'GET',
    headers,
  })
  const stored: Record<string, number> = JSON.parse(
    options.find(({ key }) => key === 'ToolPrices')?.value ?? '',
  )
  await setOptions(gateway.url, headers, { ToolPrices: JSON.stringify({ ...stored, file_search: 3 }) })

  await prices.getByRole('button', { name: 'Apply' }).click()
  await prices.getByText('somebody else has changed this').waitFor()
  await prices.getByText('"file_search": 3').waitFor()
  await prices.getByRole('button', { name: 'Keep both' }).click()
  await prices.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('Prices of models: saved').waitFor()
  await page.goto('/pricing/model?name=gpt-4o-mini')
  await rowOf(page, 'File search').getByText('$7.00').waitFor()
  await page.goto('/pricing/model?name=gpt-4o')
  await rowOf(page, 'File search').getByText('$3.00').waitFor()
})

it('a group is added as a line, and an invalid value is reported at its line', async () => {
  const { page } = operator
  await page.goto('/setting?tab=operation')
  const groups = page.locator('#groups')
  const ratio = groups.getByRole('group', { name: 'Group ratio', exact: true })
  await ratio.getByRole('button', { name: 'Add a line' }).click()
  await ratio.getByRole('textbox', { name: 'Group 4' }).fill('vip')
  await ratio.getByText('An earlier line has this already.').waitFor()
  await ratio.getByRole('textbox', { name: 'Group 4' }).fill('night')
  await ratio.getByRole('textbox', { name: 'Ratio 4' }).fill('0.5x')
  await ratio.getByText('Please enter a number').waitFor()
  await ratio.getByRole('textbox', { name: 'Ratio 4' }).fill('0.5')
  await groups.getByRole('button', { name: 'Save: Groups and holds' }).click()
  await page.getByText('Groups and holds: saved').waitFor()
  expect(operator.complaints).toEqual([])
})

it('a code from the shop’s link is redeemed, and minimum amount, price and groups follow the settings', async () => {
  const { page } = operator
  await page.goto('/setting?tab=system')
  const payment = page.locator('#payment')
  await payment.getByRole('textbox', { name: 'Smallest top-up', exact: true }).fill('5')
  const byGroup = payment.getByRole('group', { name: 'Top-up ratio by group', exact: true })
  await byGroup.getByText('JSON', { exact: true }).click()
  await byGroup.getByRole('textbox').fill('{"default": 0.5}')
  await payment.getByRole('button', { name: 'Save: Payment' }).click()
  await page.getByText('Payment: saved').waitFor()
  await setOptions(gateway.url, headers, {
    TopUpLink: 'https://shop.example/codes',
    GroupRatio: '{"default": 1, "night": 0.25}',
    UserUsableGroups: '{"default": "Everybody", "night": "At night"}',
  })
  const gift = { name: 'Gift', quota: 250_000, count: 1, is_gift: true }
  const [code = ''] = await send<readonly string[]>(gateway.url, '/api/redemption/', { headers, body: gift })
  const self = () => send<{ quota: number }>(gateway.url, '/api/user/self', { method: 'GET', headers })
  const { quota: before } = await self()

  await page.goto(`/topup?code=${code}`)
  await page.getByText(code, { exact: true }).waitFor()
  const shop = page.getByRole('link', { name: 'Get a code' })
  expect(await shop.getAttribute('href')).toBe('https://shop.example/codes')
  for (const factor of ['default ×1', 'night ×0.25']) await page.getByText(factor, { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Redeem', exact: true }).click()
  await page.getByText('Gift redeemed: $0.500000 added to your balance').waitFor()
  await page.waitForURL((url) => url.search === '')
  expect((await self()).quota).toBe(before + gift.quota)
  await page.goto(`/topup?code=${code}`)
  await page.getByRole('button', { name: 'Enter another' }).click()
  expect(await page.getByLabel('Redemption code').inputValue()).toBe('')

  const amount = page.getByLabel('Amount')
  const ways = ['Alipay', 'WeChat Pay'].map((name) => page.getByRole('button', { name }))
  expect(await amount.inputValue()).toBe('5')
  await page.getByText('You pay ¥18.25').waitFor()
  await amount.fill('4')
  await page.getByText('Enter a whole number of at least $5').waitFor()
  for (const way of ways) expect(await way.isDisabled()).toBe(true)
  await amount.fill('6')
  await page.getByText('You pay ¥21.90').waitFor()
  const popup = page.waitForEvent('popup')
  await ways[1]?.click()
  await page.getByRole('dialog').getByText('by WeChat Pay').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Pay' }).click()
  const till = await popup
  await till.getByRole('button', { name: 'Pay 21.90' }).waitFor()
  await till.close()
  await rowOf(page, '21.90').getByText('Waiting for payment').waitFor()
  const orders = await send<{ items: readonly object[] }>(gateway.url, '/api/user/topup/self', {
    method: 'GET',
    headers,
  })
  expect(orders.items[0]).toMatchObject({
    method: 'wxpay',
    quota: 3_000_000,
    money: '21.90',
    status: 'pending',
  })

  await setOptions(gateway.url, headers, { TopUpLink: '', PayAddress: '' })
  await page.goto('/topup')
  await page.getByText('The administrator has not enabled online top-up.').waitFor()
  for (const gone of [shop, amount, ...ways]) expect(await gone.count()).toBe(0)
  expect(operator.complaints).toEqual([])
})
