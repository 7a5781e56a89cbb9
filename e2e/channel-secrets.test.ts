import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { startFakeUpstream, type FakeUpstream } from '@tollgate/testkit/fake-upstream'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { desktop, phone, visit, type Visit } from './support/browser.ts'
import { startGateway, type Gateway } from './support/gateway.ts'
import { endVisits, launchBrowser } from './support/launch.ts'
import { seedSite, send, signIn, signInAs } from './support/seed.ts'

/**
 * The form of a channel with stored header values and proxy credentials, for an administrator and for the
 * super admin.
 */
let gateway: Gateway
let upstream: FakeUpstream
let browser: Browser
let root: Visit
let headers: Record<string, string>
const ADMIN = { username: 'helper', password: 'helper-password-1' }

beforeAll(async () => {
  ;[gateway, upstream, browser] = await Promise.all([startGateway(), startFakeUpstream(), launchBrowser()])
  const site = await seedSite(gateway.url, upstream.url)
  headers = await signIn(gateway.url, { username: site.username, password: site.password })
  await send(gateway.url, '/api/user', { headers, body: { ...ADMIN, display_name: 'Helper' } })
  const { items } = await send<{ items: readonly { id: number }[] }>(
    gateway.url,
    '/api/user/search?keyword=helper',
    {
      method: 'GET',
      headers,
    },
  )
  await send(gateway.url, '/api/user/manage', { headers, body: { id: items[0]?.id, action: 'promote' } })
  const channel = {
    id: 1,
    header_override: '{"X-Team":"a stored value"}',
    setting: '{"proxy":"http://name:stored-password@proxy.example:3128"}',
  }
  await send(gateway.url, '/api/channel', { method: 'PUT', headers, body: channel })
  root = await visit(browser, { url: gateway.url })
  await signInAs(root.page, site)
})

afterAll(async () => {
  await root?.close()
  await endVisits(browser)
  await upstream?.close()
  await gateway?.stop()
})

async function openForm(page: Page): Promise<Locator> {
  await page.goto('/channel')
  await page
    .getByRole('button', { name: /^(Edit|编 ?辑)$/ })
    .first()
    .click()
  return page.getByRole('dialog')
}

/** Saves screenshots when `SHOTS=folder` is set. */
async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['SHOTS']
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`) })
}

it.each([
  ['en', 'light', desktop],
  ['zh', 'dark', phone],
] as const)(
  'an administrator must enter the key again when the address changes, in %s and %s',
  async (language, scheme, viewport) => {
    const visitor = await visit(browser, { url: gateway.url, language, scheme })
    const { page, settled } = visitor
    await signInAs(page, ADMIN)
    const form = await openForm(page)
    // The form stays open while the window is narrowed; on a narrow screen it opens from a menu.
    await page.setViewportSize(viewport)
    await form.getByLabel(/^(Base URL|接口地址)/).fill('https://other.example')
    await form.getByText(/Please enter its key again|请重新填写密钥/).waitFor()
    await form.getByText(/are not sent there either|同样不会发送到新地址/).waitFor()
    await settled()
    await shoot(page, `admin-moved-${language}`)
    await form.getByRole('button', { name: /Routing and overrides|路由/ }).click()
    const masked = form.getByText(/are stored and hidden|已保存并隐藏/)
    await masked.waitFor()
    await masked.scrollIntoViewIfNeeded()
    expect(await form.innerText()).not.toContain('stored value')
    await settled()
    await shoot(page, `admin-masked-${language}`)
    await form.getByRole('button', { name: /^(Save|保 ?存)$/ }).click()
    await form.getByText(/Please fill in “Key”|请填写.?密钥/).waitFor()
    await visitor.close()
  },
)

it('the super admin sees stored values on request, and saving them unchanged changes nothing', async () => {
  const { page, settled } = root
  const form = await openForm(page)
  await form.getByRole('button', { name: 'Routing and overrides' }).click()
  await form.getByRole('textbox', { name: 'Value 1' }).waitFor()
  expect(await form.getByLabel('Proxy').inputValue()).toBe('http://***@proxy.example:3128')
  await form.getByRole('button', { name: 'Show stored values' }).click()
  await expect
    .poll(() => form.getByLabel('Proxy').inputValue())
    .toBe('http://name:stored-password@proxy.example:3128')
  expect(await form.getByRole('textbox', { name: 'Value 1' }).inputValue()).toBe('a stored value')
  expect(await form.getByText('will go to the new address').count()).toBe(0)
  await settled()
  await shoot(page, 'root-shown')
  await form.getByLabel('Base URL').fill('https://other.example')
  await form.getByText('will go to the new address').waitFor()
  await form.getByLabel('Base URL').scrollIntoViewIfNeeded()
  await shoot(page, 'root-moved')
  await form.getByLabel('Base URL').fill(upstream.url)
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Channel saved').waitFor()
  expect(await send(gateway.url, '/api/channel/1', { method: 'GET', headers })).toMatchObject({
    header_override: '{"X-Team":"***"}',
    setting: '{"proxy":"http://***@proxy.example:3128"}',
  })
  expect(root.complaints).toEqual([])
})
