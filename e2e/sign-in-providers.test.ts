import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addressesWith, setOptions } from '../apps/server/test/sign-in/sign-in-harness.ts'
import { type FakeOAuth, fakeOAuth } from '../apps/server/test/sign-in/fake-oauth.ts'
import { type TestServer, startTestServer } from '../apps/server/test/harness.ts'
import { visit } from './support/browser.ts'
import { endVisits, launchBrowser } from './support/launch.ts'

/**
 * Sign-in providers with fixed addresses: their pages are simulated, their APIs are replaced by fake servers.
 */
const GITHUB = 'https://github.com/login/oauth'
const LINUX_DO = 'https://connect.linux.do'
/** bcrypt hash of `123456` as new-api stores it. */
const HASH_OF_123456 = '$2a$04$.lpQ9hP6JaHUxPgZtWaOAOJwPZwuABYSpieMqaaDSMoMNUlwNpyte'
const octocat = { id: 583_231, login: 'octocat', name: 'The Octocat' }
const neo = { id: 42, username: 'neo', name: 'Neo', active: true, silenced: false, trust_level: 2 }

let github: FakeOAuth
let forum: FakeOAuth
let gateway: TestServer
let browser: Browser

beforeAll(async () => {
  ;[browser, github, forum] = await Promise.all([
    launchBrowser(),
    fakeOAuth({
      clientId: 'gh',
      clientSecret: 'gh-secret',
      by: 'form',
      profiles: { '/user': (person) => person, '/user/emails': () => [] },
    }),
    fakeOAuth({
      clientId: 'ld',
      clientSecret: 'ld-secret',
      by: 'header',
      profiles: { '/api/user': (person) => person },
    }),
  ])
  gateway = await startTestServer({
    isInMemory: true,
    providers: addressesWith({
      github: {
        issuer: GITHUB,
        authorize: `${GITHUB}/authorize`,
        token: `${github.address}/token`,
        api: github.address,
      },
      linuxdo: {
        issuer: LINUX_DO,
        authorize: `${LINUX_DO}/oauth2/authorize`,
        token: `${forum.address}/token`,
        profile: `${forum.address}/api/user`,
      },
    }),
  })
  await setOptions(gateway, {
    ServerAddress: gateway.address,
    GitHubClientId: 'gh',
    GitHubClientSecret: 'gh-secret',
    GitHubOAuthEnabled: 'true',
    LinuxDOClientId: 'ld',
    LinuxDOClientSecret: 'ld-secret',
    LinuxDOOAuthEnabled: 'true',
  })
})

afterAll(async () => {
  await endVisits(browser)
  await gateway?.close()
  await github?.close()
  await forum?.close()
})

it('a user signs in through GitHub, binds Linux DO, and signs in through that', async () => {
  const visitor = await visit(browser, { url: gateway.address, language: 'zh' })
  const { page } = visitor
  await playedBy(page, `${GITHUB}/authorize`, (address) => returned('github', github, address, octocat))
  await playedBy(page, `${LINUX_DO}/oauth2/authorize`, (address) => returned('linuxdo', forum, address, neo))

  await page.goto('/login')
  await page.getByRole('button', { name: '使用 GitHub 继续' }).click()
  await page.waitForURL('**/token')
  await page.getByRole('link', { name: '个人设置' }).click()
  await page.getByText(`已绑定（账户 ID：${octocat.id}）`).waitFor()
  await page.getByRole('button', { name: '绑定 Linux DO' }).click()
  await page.getByText(`已绑定（账户 ID：${neo.id}）`).waitFor()

  await page.getByRole('button', { name: /^github_/ }).click()
  await page.getByRole('menuitem', { name: '退出登录' }).click()
  await page.getByRole('button', { name: '使用 Linux DO 继续' }).click()
  await page.waitForURL('**/token')
  await page.getByRole('button', { name: /^github_/ }).waitFor()
  expect(visitor.complaints).toEqual([])
  await visitor.close()
})

it('a user with the default password 123456 sees no page before choosing another one', async () => {
  const { id } = await gateway.user({ username: 'oldtimer', role: 10 })
  const password_hash = HASH_OF_123456
  await gateway.server.store.db.updateTable('users').set({ password_hash }).where('id', '=', id).execute()
  const visitor = await visit(browser, { url: gateway.address })
  const { page } = visitor
  await logIn(page, '123456')
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Choose your own password first').waitFor()
  await page.goto('/user')
  await dialog.getByLabel('New password', { exact: true }).fill('123456')
  await dialog.getByText('at least 8 characters').waitFor()
  expect(await page.getByRole('heading', { level: 1 }).count()).toBe(0)
  await dialog.getByLabel('New password', { exact: true }).fill('a-better-one-1')
  await dialog.getByLabel('New password again').fill('a-better-one-1')
  await dialog.getByRole('button', { name: 'Change the password' }).click()
  await page.getByRole('heading', { level: 1, name: 'Users' }).waitFor()
  expect(visitor.complaints).toEqual([])
  await visitor.close()
})

/** Simulates a user who approves on the provider's page and returns with a code. */
async function playedBy(page: Page, address: string, comeBack: (address: string) => string): Promise<void> {
  await page.route(`${address}**`, (route) =>
    route.fulfill({ status: 302, headers: { location: comeBack(route.request().url()) } }),
  )
}

function returned(name: string, provider: FakeOAuth, address: string, person: object): string {
  return `${gateway.address}/oauth/${name}?${new URLSearchParams({ ...provider.approve(address, person) }).toString()}`
}

async function logIn(page: Page, password: string): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Username or e-mail').fill('oldtimer')
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}
