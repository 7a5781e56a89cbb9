import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { visit } from './support/browser.ts'
import { endVisits, launchBrowser } from './support/launch.ts'
import { send, signInAs } from './support/seed.ts'
import { type Town, openTown } from './support/town.ts'

/**
 * The life of accounts: one user registers by mail, uses the account and deletes it; another signs in through
 * an OIDC issuer.
 */
const PEOPLE = { 'sub-grace': { name: 'Grace', preferred_username: 'grace', email_verified: true } }
const ada = { username: 'ada', password: 'lovelace-1815', email: 'ada@gate.example' }

let town: Town
let browser: Browser

beforeAll(async () => {
  ;[town, browser] = await Promise.all([openTown(PEOPLE), launchBrowser()])
})

afterAll(async () => {
  await endVisits(browser)
  await town?.close()
})

it('a user registers by mail, manages the account, and deletes it', async () => {
  const visitor = await visit(browser, { url: town.url })
  const { page } = visitor
  await register(page)
  await logIn(page, ada.password)
  await page.getByRole('link', { name: 'My account' }).click()
  await page.getByRole('heading', { level: 1, name: 'My account' }).waitFor()

  await profileAndLook(page)
  await checkIn(page)
  await invite(page)
  await emailAndPassword(page)
  await accessToken(page)
  await notifications(page)
  await sessions(page)
  await resetPassword(page)
  await leave(page)

  expect(visitor.complaints).toEqual([])
  await visitor.close()
})

it('a user signs in through the issuer, unbinds and binds it', async () => {
  const visitor = await visit(browser, { url: town.url, language: 'zh' })
  const { page } = visitor
  await page.goto('/login?returnTo=/personal')
  await page.getByRole('button', { name: '使用 OIDC 继续' }).click()
  await page.getByRole('heading', { level: 1, name: '个人设置' }).waitFor()
  await page.getByText('已绑定（账户 ID：sub-grace）').waitFor()

  await press(page, '解绑 OIDC')
  await dialog(page).getByRole('button', { name: '解绑', exact: true }).click()
  await page.getByText('您将无法登录').waitFor()
  await dialog(page).getByRole('button', { name: '取消' }).click()

  await press(page, '设置密码')
  await dialog(page).getByLabel('新密码', { exact: true }).fill('hopper-1906')
  await dialog(page).getByLabel('确认新密码').fill('hopper-1906')
  await pressUntil(dialog(page).getByRole('button', { name: '保存' }), page.getByText('密码修改成功！'))
  await press(page, '解绑 OIDC')
  await dialog(page).getByRole('button', { name: '解绑', exact: true }).click()
  await page.getByText('OIDC 已解绑', { exact: true }).waitFor()
  await press(page, '绑定 OIDC')
  await page.getByText('已绑定（账户 ID：sub-grace）').waitFor()
  expect(visitor.complaints).toEqual([])

  await page.goto('/oauth/oidc?code=stolen&state=forged')
  await page.getByText('登录请求并非由此浏览器发起').waitFor()
  await page.getByRole('link', { name: '返回个人设置' }).click()
  await page.getByRole('heading', { level: 1, name: '个人设置' }).waitFor()
  await visitor.close()
})

it('the operator sends a test mail and fetches the endpoints of the issuer', async () => {
  const operator = await visit(browser, { url: town.url })
  const { page } = operator
  await signInAs(page, { username: 'operator', password: 'first-password' })
  await page.goto('/setting?tab=system')
  const mail = page.locator('#smtp')
  await mail.getByLabel('To (empty: your own address)').fill('nobody')
  await mail.getByRole('button', { name: 'Send a test mail' }).click()
  await mail.getByRole('alert').waitFor()
  town.mailbox.mails.length = 0
  await mail.getByLabel('To (empty: your own address)').fill('operator@gate.example')
  await mail.getByRole('button', { name: 'Send a test mail' }).click()
  await mail.getByText('Sent to operator@gate.example').waitFor()
  expect((await town.nextMail()).to).toContain('operator@gate.example')

  const oidc = page.locator('#oidc')
  await oidc.getByRole('button', { name: 'Fetch the endpoints' }).click()
  await page.getByText(/^The endpoints of .* are filled in/).waitFor()
  await oidc.getByText('Unsaved changes').waitFor()
  await oidc.getByRole('button', { name: /^Save/ }).click()
  await page.getByText('OIDC: saved').waitFor()
  expect(operator.complaints).toEqual([])
  await operator.close()
})

async function register(page: Page): Promise<void> {
  const aff = await send<string>(town.url, '/api/user/aff', { method: 'GET', headers: town.headers })
  await page.goto(`/register?aff=${aff}`)
  await page.getByText(`invitation code ${aff} is sent`).waitFor()
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByText('Please enter a username.').waitFor()
  await page.getByLabel('Username').fill(ada.username)
  await page.getByLabel('Password', { exact: true }).fill('short')
  await page.getByText('must be at least 8 characters').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(ada.password)
  await page.getByLabel('Password again').fill('something else')
  await page.getByText('do not match').waitFor()
  await page.getByLabel('Password again').fill(ada.password)
  await page.getByLabel('E-mail').fill(ada.email)
  await page.getByRole('button', { name: 'Send code' }).click()
  await page.getByRole('button', { name: /Again in \d+ s/ }).waitFor()
  const code = await mailedCode()
  await page.getByLabel('Verification code').fill('WRNG-WRNG')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByText(/code is wrong/i).waitFor()
  await page.getByLabel('Verification code').fill(code)
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByText('Registered. You can log in now.').waitFor()
  expect(await page.getByLabel('Username or e-mail').inputValue()).toBe(ada.username)
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('password')
}

async function logIn(page: Page, password: string): Promise<void> {
  await page.waitForURL('**/login*')
  await page.getByLabel('Username or e-mail').fill(ada.email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.getByText('Logged in').waitFor()
}

async function profileAndLook(page: Page): Promise<void> {
  await press(page, 'Change display name')
  await dialog(page).getByLabel('Display name').fill('Ada L.')
  await dialog(page).getByRole('button', { name: 'Save' }).click()
  await page.getByText('Display name changed').waitFor()
  await page.getByText('Dark', { exact: true }).click()
  await page.locator('html[data-theme=dark]').waitFor()
  await page.getByText('System', { exact: true }).click()
  await page.locator('html[data-theme=light]').waitFor()
  await page.getByText('中文', { exact: true }).click()
  await page.getByRole('heading', { level: 1, name: '个人设置' }).waitFor()
  await page.getByText('English', { exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'My account' }).waitFor()
}

async function checkIn(page: Page): Promise<void> {
  await press(page, 'Previous month')
  await press(page, 'Next month')
  await press(page, 'Check in')
  await page.getByText('Checked in: $0.010000 added').waitFor()
  await page.getByRole('button', { name: 'Already checked in today' }).waitFor()
  await page.getByText('checked in, $0.010000').waitFor({ state: 'attached' })
}

/** A friend registers with the link, and the reward is moved to the balance. */
async function invite(page: Page): Promise<void> {
  const link = await page.getByLabel('Invitation link').inputValue()
  await press(page, 'Copy link')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link)
  await town.set({ EmailVerificationEnabled: 'false' })
  const aff_code = new URL(link).searchParams.get('aff') ?? ''
  const friend = { username: 'friend', password: 'a-good-friend', aff_code }
  await send(town.url, '/api/user/register', { body: friend })
  await page.reload()
  await press(page, 'Move to balance')
  await dialog(page).getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByText('Moved to your balance').waitFor()
  await page.getByRole('button', { name: 'Move to balance' }).isDisabled()
}

async function emailAndPassword(page: Page): Promise<void> {
  await press(page, 'Unbind')
  await dialog(page).getByRole('button', { name: 'Unbind' }).click()
  await page.getByText(`${ada.email} unbound`).waitFor()
  await page.getByRole('button', { name: 'Bind', exact: true }).first().click()
  await dialog(page).getByLabel('E-mail').fill(ada.email)
  await dialog(page).getByRole('button', { name: 'Send code' }).click()
  await dialog(page)
    .getByLabel('Verification code')
    .fill(await mailedCode())
  await dialog(page).getByRole('button', { name: 'Bind' }).click()
  await page.getByText('E-mail address bound').waitFor()

  await press(page, 'Change password')
  await dialog(page).getByLabel('Current password').fill('not the one')
  await dialog(page).getByLabel('New password', { exact: true }).fill('analytical-1')
  await dialog(page).getByLabel('New password again').fill('analytical-1')
  const refused = dialog(page).getByText('current password is missing or wrong')
  await pressUntil(dialog(page).getByRole('button', { name: 'Save' }), refused)
  await dialog(page).getByLabel('Current password').fill(ada.password)
  await pressUntil(dialog(page).getByRole('button', { name: 'Save' }), page.getByText('Password changed'))
}

async function accessToken(page: Page): Promise<void> {
  const section = page.getByRole('region', { name: 'System access token' })
  await section.getByRole('button', { name: 'Create' }).click()
  expect(await dialog(page).locator('pre').textContent()).toMatch(/^\w{32}$/)
  await dialog(page).getByRole('button', { name: 'Copy' }).click()
  await dialog(page).getByRole('button', { name: 'Done' }).click()
  await section.getByRole('button', { name: 'Replace' }).click()
  await dialog(page).getByRole('button', { name: 'Replace' }).click()
  await dialog(page).getByRole('button', { name: 'Done' }).click()
  await section.getByRole('button', { name: 'Revoke' }).click()
  await dialog(page).getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('Access token revoked').waitFor()
}

async function notifications(page: Page): Promise<void> {
  const section = page.getByRole('region', { name: 'Notifications' })
  await section.getByRole('button', { name: '$2', exact: true }).click()
  await section.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Notification settings updated').waitFor()
  await section.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText('The test is on its way').waitFor()
  // The low-balance notice may arrive before the test notification.
  while (!(await town.nextMail()).subject.includes('test notification')) continue
  await section.getByText('Webhook', { exact: true }).click()
  await section.getByLabel('Webhook address').fill('http://hooks.example/')
  await section.getByRole('button', { name: 'Save' }).click()
  await section.getByText('begins with https://').waitFor()
  await section.getByLabel('Webhook address').fill('https://hooks.example/ada')
  await section.getByLabel('Webhook secret').fill('a-secret')
  await section.getByRole('button', { name: 'Save' }).click()
  await section.getByText('One is stored').waitFor()
}

/** Signs in with a second browser, signs that one out, then signs out everywhere. */
async function sessions(page: Page): Promise<void> {
  const section = page.getByRole('region', { name: 'Where you are signed in' })
  const other = await visit(browser, { url: town.url })
  await other.page.goto('/login')
  await logIn(other.page, 'analytical-1')
  // Requests still running would be refused after the sign-out and redirect the page to the login by
  // themselves.
  await other.settled()
  await page.reload()
  await section.getByRole('button', { name: 'Sign out the others' }).click()
  await page.getByText('Signed out of 1 other browser').waitFor()
  await other.page.goto('/personal')
  await other.page.getByText('login has expired').waitFor()
  await other.close()
  await section.getByRole('button', { name: 'Sign out everywhere' }).click()
  await dialog(page).getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.waitForURL('**/login*')
}

async function resetPassword(page: Page): Promise<void> {
  town.mailbox.mails.length = 0
  await page.getByRole('link', { name: 'Forgot your password?' }).click()
  await page.getByLabel('The e-mail address of your account').fill(ada.email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByText('Look into your mailbox').waitFor()
  await page.goto(await mailWith(/http:\S+\/user\/reset\?\S+/))
  await page.getByLabel('New password', { exact: true }).fill(ada.password)
  await page.getByLabel('New password again').fill(ada.password)
  await page.getByRole('button', { name: 'Set the new password' }).click()
  await logIn(page, ada.password)
}

async function leave(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'My account' }).click()
  await press(page, 'Delete my account')
  const button = dialog(page).getByRole('button', { name: 'Delete my account' })
  expect(await button.isDisabled()).toBe(true)
  await dialog(page).getByRole('textbox').fill(ada.username)
  await button.click()
  await page.waitForURL('**/login*')
  await page.getByText('Your account has been deleted.').waitFor()
  await page.getByLabel('Username or e-mail').fill(ada.username)
  await page.getByLabel('Password').fill(ada.password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await page.getByText('Username or password is wrong').waitFor()
}

const dialog = (page: Page) => page.getByRole('dialog')
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click()

/** Repeats a click that a busy machine has missed, as a user would. */
async function pressUntil(button: Locator, reported: Locator): Promise<void> {
  for (let press = 1; press <= 3; press++) {
    await button.click()
    const isTold = await reported.waitFor({ timeout: 20_000 }).then(
      () => true,
      () => false,
    )
    if (isTold) return
  }
  await reported.waitFor()
}

/** Other mails, such as notices of account changes, may arrive first. */
async function mailWith(pattern: RegExp): Promise<string> {
  for (;;) {
    const found = pattern.exec((await town.nextMail()).text)?.[0]
    if (found !== undefined) return found
  }
}

function mailedCode(): Promise<string> {
  return mailWith(/[2-9A-Z]{4}-[2-9A-Z]{4}/)
}
