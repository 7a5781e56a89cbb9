import { routes } from '@tollgate/contract/routes'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type MailGateway, openMailGateway } from '../apps/server/test/accounts/mail-gateway.ts'
import { addressesWith, setOptions } from '../apps/server/test/sign-in/sign-in-harness.ts'
import { type FakeOAuth, fakeOAuth } from '../apps/server/test/sign-in/fake-oauth.ts'
import { ROOT } from '../apps/server/test/harness.ts'
import { seriousViolations } from './support/axe.ts'
import { phone, visit } from './support/browser.ts'
import { endVisits, launchBrowser } from './support/launch.ts'

/** Account safety in the console: confirmations, notices, and restoring a changed e-mail address. */
const GITHUB = 'https://github.com/login/oauth'
const octocat = { id: 583_231, login: 'octocat', name: 'The Octocat' }
const stranger = { id: 1, login: 'stranger', name: 'A stranger' }
const SHOTS = process.env['SHOTS']

let github: FakeOAuth
let house: MailGateway
let browser: Browser
/** The user who approves at the provider. */
let person: { readonly id: number } = octocat

beforeAll(async () => {
  ;[browser, github] = await Promise.all([
    launchBrowser(),
    fakeOAuth({
      clientId: 'gh',
      clientSecret: 'gh-secret',
      by: 'form',
      profiles: { '/user': (who) => who, '/user/emails': () => [] },
    }),
  ])
  house = await openMailGateway({
    providers: addressesWith({
      github: {
        issuer: GITHUB,
        authorize: `${GITHUB}/authorize`,
        token: `${github.address}/token`,
        api: github.address,
      },
    }),
  })
  await setOptions(house.gateway, {
    ServerAddress: house.gateway.address,
    GitHubClientId: 'gh',
    GitHubClientSecret: 'gh-secret',
    GitHubOAuthEnabled: 'true',
  })
})

afterAll(async () => {
  await endVisits(browser)
  await house?.close()
  await github?.close()
})

it('a user of a sign-in provider confirms in a second window and continues where they were', async () => {
  const visitor = await visit(browser, { url: house.gateway.address })
  const { page } = visitor
  await page.context().route(`${GITHUB}/authorize**`, (route) => {
    const query = new URLSearchParams({ ...github.approve(route.request().url(), person) }).toString()
    return route.fulfill({
      status: 302,
      headers: { location: `${house.gateway.address}/oauth/github?${query}` },
    })
  })
  await page.goto('/login?returnTo=/personal')
  await page.getByRole('button', { name: 'Continue with GitHub' }).click()
  await page.getByRole('heading', { level: 1, name: 'My account' }).waitFor()
  await everySignInAgo(16 * 60_000)

  await page.getByRole('button', { name: 'Choose a password' }).click()
  await page.getByLabel('New password', { exact: true }).fill('octopus-pass-1')
  await page.getByLabel('New password again').fill('octopus-pass-1')
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Please confirm that it is you').waitFor()
  await shoot(page, 'prove-elsewhere')

  person = stranger
  await signInElsewhere(page)
  await page.getByText('Another account signed in').waitFor()
  person = octocat
  await signInElsewhere(page)
  await page.getByText('Password changed; every other session').waitFor()
  expect(visitor.complaints).toEqual([])
  await visitor.close()
})

it('a setting is saved after the password was confirmed, and the entered value is kept', async () => {
  const visitor = await visit(browser, { url: house.gateway.address })
  const { page } = visitor
  await signIn(page)
  await everySignInAgo(13 * 3_600_000)
  await page.goto('/setting?tab=system')
  const smtp = page.locator('#smtp')
  const server = smtp.getByRole('textbox').first()
  await server.fill('localhost.')
  await smtp.getByRole('button', { name: /^Save/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Please confirm that it is you').waitFor()
  await dialog.getByLabel('Your password').fill('not the password')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('alert').waitFor()
  await shoot(page, 'prove-password')
  await dialog.getByLabel('Your password').fill(ROOT.password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await page.getByText(/: saved$/).waitFor()
  expect(await server.inputValue()).toBe('localhost.')
  expect(visitor.complaints).toEqual([])
  await house.gateway.root.signIn(ROOT)
  await house.set('SMTPServer', 'localhost')
  await visitor.close()
})

it('an account change without a mail is shown above every page until the user confirms it', async () => {
  const visitor = await visit(browser, { url: house.gateway.address, language: 'zh', viewport: phone })
  const { page } = visitor
  await house.gateway.root.signIn(ROOT)
  await house.gateway.root.call(routes.user.resetAccessToken)
  await signIn(page)
  const notices = page.getByRole('region', { name: '您的账户有变更' })
  await notices.getByText('已生成新的访问令牌').waitFor()
  await page.goto('/log')
  await notices.waitFor()
  expect(await seriousViolations(page)).toEqual([])
  await shoot(page, 'notices')
  await notices.getByRole('button', { name: '是我本人操作' }).click()
  await notices.waitFor({ state: 'detached' })
  await page.goto('/token')
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await notices.count()).toBe(0)
  expect(visitor.complaints).toEqual([])
  await visitor.close()
})

it('an e-mail address is restored with the mailed link', async () => {
  const owner = await house.gateway.user()
  const bind = async (email: string) => {
    await owner.call(routes.mail.sendCode, { query: { email } })
    const code = /[2-9A-Z]{4}-[2-9A-Z]{4}/.exec((await nextMail()).text)?.[0] ?? ''
    await owner.call(routes.mail.bindEmail, { query: { email, code } })
  }
  await bind('owner@example.com')
  await bind('thief@example.com')
  const link = /http:\S+/.exec((await nextMail()).text)?.[0] ?? ''

  const visitor = await visit(browser, { url: house.gateway.address })
  const { page } = visitor
  await page.goto('/user/undo-email')
  await page.getByText('This link is incomplete').waitFor()
  await page.goto('/user/undo-email?token=wrong')
  await page.getByRole('button', { name: 'Restore the address' }).click()
  await page.getByText('The link is invalid, already used or expired').waitFor()
  await shoot(page, 'undo-refused')
  await page.goto(link)
  await shoot(page, 'undo')
  expect((await owner.call(routes.user.readSelf)).email).toBe('thief@example.com')
  await page.getByRole('button', { name: 'Restore the address' }).click()
  await page.getByText('owner@example.com is the address of your account again').waitFor()
  await shoot(page, 'undo-done')
  await page.getByRole('link', { name: 'Choose a new password' }).click()
  await page.getByRole('heading', { name: 'Reset your password' }).waitFor()
  expect(visitor.complaints).toEqual([])
  await visitor.close()
})

const nextMail = () => vi.waitUntil(() => house.mailbox.mails.shift(), { timeout: 10_000 })

/** Backdates every sign-in by `agoMs`. */
async function everySignInAgo(agoMs: number): Promise<void> {
  await house.gateway.server.store.db
    .updateTable('sessions')
    .set({ proven_ms: house.clock.nowMs() - agoMs })
    .execute()
}

async function signIn(page: Page): Promise<void> {
  await page.goto('/login')
  await page.getByRole('textbox').first().fill(ROOT.username)
  await page.locator('input[type=password]').fill(ROOT.password)
  await page.locator('button[type=submit]').click()
  await page.waitForURL('**/token')
}

async function signInElsewhere(page: Page): Promise<void> {
  const opening = page.context().waitForEvent('page')
  await page.getByRole('button', { name: 'Sign in again' }).click()
  const second = await opening
  await second.getByRole('button', { name: 'Continue with GitHub' }).click()
  await vi.waitUntil(() => second.isClosed(), { timeout: 20_000 })
}

/** Takes screenshots when `SHOTS=/some/folder` is set. */
async function shoot(page: Page, name: string): Promise<void> {
  if (SHOTS === undefined) return
  const size = page.viewportSize()
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme })
      await page.waitForTimeout(400)
      await page.screenshot({ path: `${SHOTS}/${name}-${width}-${colorScheme}.png` })
    }
  await page.emulateMedia({ colorScheme: 'light' })
  if (size) await page.setViewportSize(size)
}
