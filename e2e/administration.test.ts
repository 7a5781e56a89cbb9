import { startFakeUpstream, type FakeUpstream } from '@tollgate/testkit/fake-upstream'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { visit, type Visit } from './support/browser.ts'
import { startGateway, type Gateway } from './support/gateway.ts'
import { endVisits, launchBrowser } from './support/launch.ts'
import { seedSite, signInAs, type Site } from './support/seed.ts'

/**
 * User and settings administration: users are created, given quota and a role, and disabled; a setting is
 * changed and reverted.
 */
const NAME = 'newcomer'
const PASSWORD = 'newcomer-pass'

let gateway: Gateway
let upstream: FakeUpstream
let browser: Browser
let site: Site
let operator: Visit

beforeAll(async () => {
  ;[gateway, upstream, browser] = await Promise.all([startGateway(), startFakeUpstream(), launchBrowser()])
  site = await seedSite(gateway.url, upstream.url)
  operator = await visit(browser, { url: gateway.url })
  await signInAs(operator.page, site)
})

afterAll(async () => {
  await operator?.close()
  await endVisits(browser)
  await upstream?.close()
  await gateway?.stop()
})

it('a user is created, given quota and a role, and disabled at once, and every step is in the audit log', async () => {
  const { page } = operator
  await page.goto('/user')
  await makeUser(page)
  await giveTenDollars(page)
  await changeRole(page)
  await shutOut(page)
  await readTheTrail(page)
  expect(operator.complaints).toEqual([])
})

it('the owner of a pasted token key is found, and the key is not put into the URL', async () => {
  const { page } = operator
  await page.goto('/user')
  await page.getByRole('textbox', { name: 'Search' }).fill(`sk-${site.key}`)
  await page.getByText('This is the key of token “prod-web” of operator').waitFor()
  await page.getByRole('dialog').getByText('prod-web').waitFor()
  expect(page.url()).toContain('tab=tokens')
  expect(page.url()).not.toContain(site.key)
})

it('a setting is changed, found in its history, and reverted with one click', async () => {
  const { page } = operator
  await page.goto('/setting?tab=other')
  const section = page.locator('#name')
  const save = section.getByRole('button', { name: 'Save: Name and logo' })
  const name = section.getByLabel('System name', { exact: true })
  await save.click()
  await page.getByText('Nothing was changed').waitFor()

  await name.fill('Gate of the East')
  await section.getByText('Unsaved changes').waitFor()
  await save.click()
  await page.getByText('Name and logo: saved').waitFor()
  await page.getByRole('banner').getByText('Gate of the East').waitFor()
  await section.getByText('Unsaved changes').waitFor({ state: 'detached' })

  await section.getByRole('button', { name: 'History of “System name”' }).click()
  const drawer = page.getByRole('dialog')
  const change = drawer.getByRole('row').filter({ hasText: 'Gate of the East' })
  await change.getByRole('button', { name: 'Show details' }).click()
  await drawer.getByText('+').first().waitFor()
  await change.getByRole('button', { name: 'Revert' }).click()
  await page.getByText('SystemName is as it was before').waitFor()
  await page.getByRole('banner').getByText('Tollgate').waitFor()
  await drawer.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('button', { name: 'Check for updates' }).click()
  await page.getByText('No release URL is set').waitFor()
  expect(operator.complaints).toEqual([])
})

it('an invalid value is reported at its field, and a switch that would lock everybody out asks for confirmation', async () => {
  const { page } = operator
  await page.goto('/setting?tab=system')
  const turnstile = page.locator('#turnstile')
  await turnstile.getByRole('switch').click()
  await turnstile.getByText('Please fill in first: Site key, Secret key').waitFor()
  const general = page.locator('#general')
  await general.getByLabel('Server address', { exact: true }).fill('ftp://gate')
  await general.getByText('Enter an http:// or https:// address, or nothing.').waitFor()

  const login = page.locator('#login')
  await login.getByRole('switch').first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  expect(await login.getByRole('switch').first().getAttribute('aria-checked')).toBe('true')

  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await page.getByText('Leave without saving?').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await page.waitForURL('**/user')
  expect(operator.complaints).toEqual([])
})

function rowOf(page: Page): Locator {
  return page.getByRole('row').filter({ hasText: NAME })
}

async function makeUser(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'New user' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel(/^Username/).fill('a name with spaces')
  await form.getByLabel(/^Password/).fill('short')
  await form.getByRole('button', { name: 'Create' }).click()
  await form.getByText('A password has 8 to 20 characters.').waitFor()
  await form.getByLabel(/^Username/).fill(NAME)
  await form.getByLabel(/^Password/).fill(PASSWORD)
  await form.getByRole('button', { name: 'Create' }).click()
  await page.getByText(`User “${NAME}” created`).waitFor()
  await rowOf(page).waitFor()
}

async function giveTenDollars(page: Page): Promise<void> {
  await rowOf(page).getByRole('button', { name: 'Edit' }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: '+$10', exact: true }).click()
  await form.getByText('$10.00').waitFor()
  await form.getByLabel('Note').fill('welcome')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Balance: $0.00 → $10.00').waitFor()
  await rowOf(page).getByText('$10.00').waitFor()
}

async function changeRole(page: Page): Promise<void> {
  await choose(page, 'Promote')
  await page.getByText(`“${NAME}” is an admin now`).waitFor()
  await rowOf(page).getByText('Admin', { exact: true }).waitFor()
  await choose(page, 'Demote')
  await page.getByText(`“${NAME}” is an ordinary user now`).waitFor()
}

async function shutOut(page: Page): Promise<void> {
  const person = await visit(browser, { url: gateway.url })
  await signInAs(person.page, { ...site, username: NAME, password: PASSWORD })
  await person.page.goto('/token')
  await person.page.getByText('No tokens yet').waitFor()
  await choose(page, 'Disable')
  await page.getByText(`“${NAME}” disabled`).waitFor()
  await person.page.reload()
  await person.page.waitForURL('**/login?**')
  await person.close()
}

/** Chooses an action from the row's menu and confirms it in the dialog. */
async function choose(page: Page, action: string): Promise<void> {
  await rowOf(page).getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: action }).click()
  await page.getByRole('dialog').getByRole('button', { name: action }).click()
}

async function readTheTrail(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Audit log' }).click()
  for (const deed of ['Disabled user', 'Demoted user', 'Promoted user', 'Created user'])
    await page.getByRole('cell', { name: deed }).waitFor()
  const quota = page.getByRole('row').filter({ hasText: 'Changed balance of user' })
  await quota.getByText('$0.000000 → $10.000000').waitFor()
  await quota.getByRole('button', { name: 'Show details' }).click()
  await page.getByText('welcome', { exact: true }).waitFor()
  await page.getByLabel('Search').fill('no such thing')
  await page.getByText('No change matches').waitFor()
}
