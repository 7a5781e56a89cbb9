import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Counterpart, answering } from '../apps/server/test/sign-in/counterpart.ts'
import { signedByTelegram } from '../apps/server/test/sign-in/widget.ts'
import { visit } from './support/browser.ts'
import { type Gateway, startGateway } from './support/gateway.ts'
import { endVisits, launchBrowser } from './support/launch.ts'
import { send, setOptions, signIn } from './support/seed.ts'

/** Sign-in with third-party widgets or helper servers: WeChat, Telegram, and the human check. */
const BOT_TOKEN = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw'
const WIDGETS = ['https://telegram.org', 'https://challenges.cloudflare.com']

let gateway: Gateway
let wechat: Counterpart
let browser: Browser
let headers: Record<string, string>

beforeAll(async () => {
  ;[gateway, browser] = await Promise.all([startGateway(), launchBrowser()])
  wechat = await answering(({ query }) => ({
    body: { success: true, message: '', data: query.get('code') === '246810' ? 'wx-ada' : '' },
  }))
  const account = { username: 'operator', password: 'first-password' }
  await send(gateway.url, '/api/setup', { body: { ...account, confirmPassword: account.password } })
  headers = await signIn(gateway.url, account)
})

afterAll(async () => {
  await endVisits(browser)
  await gateway?.stop()
  await wechat?.close()
})

it('third-party scripts are allowed only while their provider is switched on', async () => {
  expect(await scriptPolicy()).not.toMatch(/https:/)
  await setOptions(gateway.url, headers, {
    WeChatServerAddress: wechat.address,
    WeChatServerToken: 'token of the helper',
    WeChatAuthEnabled: 'true',
    TelegramBotToken: BOT_TOKEN,
    TelegramBotName: 'tollgate_bot',
    TelegramOAuthEnabled: 'true',
    TurnstileSiteKey: 'site-key',
    TurnstileSecretKey: 'secret-key',
    TurnstileCheckEnabled: 'true',
  })
  const policy = await scriptPolicy()
  for (const origin of WIDGETS) expect(policy).toContain(origin)
})

it('a user signs in by WeChat, binds Telegram, and gets the human check', async () => {
  const visitor = await visit(browser, { url: gateway.url })
  const { page } = visitor
  await standIns(page)
  await page.goto('/login')
  await page.getByRole('button', { name: 'Continue with WeChat' }).click()
  await dialog(page).getByLabel('Code').fill('000000')
  await dialog(page).getByRole('button', { name: 'Continue' }).click()
  await dialog(page).getByText('code is wrong').waitFor()
  await dialog(page).getByLabel('Code').fill('246810')
  await dialog(page).getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL('**/token')

  await page.getByRole('link', { name: 'My account' }).click()
  await page.getByText('Bound (account ID wx-ada)').waitFor()
  await page.getByRole('button', { name: 'Bind Telegram' }).click()
  await dialog(page).getByRole('link', { name: 'Log in with Telegram' }).click()
  await page.getByText('Bound (account ID 9000000001)').waitFor()
  await page.getByRole('button', { name: /^wechat_/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()

  await page.waitForURL('**/login')
  await page.getByText('the check for login').waitFor()
  await page.getByLabel('Username or e-mail').fill('operator')
  await page.getByLabel('Password').fill('first-password')
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  // No service confirms the fake token, whether the real one is reachable or not.
  await page.getByText(/The human check (?:cannot be reached|failed)/).waitFor()
  await page.getByRole('link', { name: 'Log in with Telegram' }).click()
  await page.getByText('Logged in').waitFor()
  expect(visitor.complaints).toEqual([])
  await visitor.close()
})

async function scriptPolicy(): Promise<string> {
  const { headers: given } = await fetch(`${gateway.url}/login`)
  const policy = given.get('content-security-policy') ?? ''
  return policy.split(';').find((part) => part.trim().startsWith('script-src ')) ?? ''
}

/**
 * Stand-ins for the scripts of the two services. The content security policy is applied before they are
 * requested.
 */
async function standIns(page: Page): Promise<void> {
  let asked = 0
  await page.route('https://telegram.org/js/**', (route) => {
    const fields = {
      id: '9000000001',
      first_name: 'Ada',
      auth_date: String(Math.floor(Date.now() / 1000) + asked++),
    }
    const query = new URLSearchParams(signedByTelegram(fields, BOT_TOKEN)).toString()
    return route.fulfill({ contentType: 'text/javascript', body: telegramWidget(query) })
  })
  await page.route('https://challenges.cloudflare.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: TURNSTILE }),
  )
}

function telegramWidget(query: string): string {
  return `{
    const script = document.currentScript
    const link = document.createElement('a')
    link.textContent = 'Log in with Telegram'
    link.href = script.dataset.authUrl + '?${query}'
    script.after(link)
  }`
}

const TURNSTILE = `
  window.turnstile = {
    render(place, { action, callback }) {
      place.textContent = 'the check for ' + action
      callback('token')
      return 'widget'
    },
    reset() {},
    remove() {},
  }`

const dialog = (page: Page) => page.getByRole('dialog')
