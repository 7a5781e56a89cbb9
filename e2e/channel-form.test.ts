import { startFakeUpstream, type FakeUpstream } from '@tollgate/testkit/fake-upstream'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { launchBrowser, visit, type Visit } from './support/browser.ts'
import { startGateway, type Gateway } from './support/gateway.ts'
import { seedSite, send, signIn, signInAs } from './support/seed.ts'

/** The form of a channel, field by field: what each kind of provider asks for, models, keys, mappings and settings. */
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

const stored = (id: number): Promise<{ models: string }> =>
  send(gateway.url, `/api/channel/${id}`, { method: 'GET', headers })

async function openNew(page: Page): Promise<Locator> {
  await page.goto('/channel')
  await page.getByRole('button', { name: 'New channel' }).click()
  return page.getByRole('dialog')
}

async function openRow(page: Page, name: string): Promise<Locator> {
  await page.getByRole('row').filter({ hasText: name }).getByRole('button', { name: 'Edit' }).click()
  return page.getByRole('dialog')
}

async function pickType(page: Page, form: Locator, type: string): Promise<void> {
  await form.getByRole('combobox', { name: 'Provider', exact: true }).fill(type)
  await page.getByTitle(type, { exact: true }).last().click()
}

/** Lines of a list in a table or as text. */
const linesOf = (form: Locator, name: string) => form.getByRole('group', { name, exact: true })

it('the fields follow the provider, and what is missing is said at its field', async () => {
  const { page } = operator
  const form = await openNew(page)
  await form.getByRole('button', { name: 'Create' }).click()
  for (const missing of ['Name', 'Key']) await form.getByText(`Please fill in “${missing}”`).waitFor()
  await form.getByText('Please choose at least one model.').waitFor()

  await pickType(page, form, 'Midjourney Proxy')
  await form.getByTitle('mj_upload', { exact: true }).waitFor()
  await pickType(page, form, 'Suno')
  await form.getByTitle('suno_music', { exact: true }).waitFor()
  await form.getByTitle('mj_upload', { exact: true }).waitFor({ state: 'detached' })
  await pickType(page, form, 'Azure OpenAI')
  await form.getByLabel('Default API version').waitFor()
  expect(await form.getByLabel('Organization').count()).toBe(0)
  await pickType(page, form, 'Cloudflare Workers AI')
  await form.getByLabel(/account/i).waitFor()
  await pickType(page, form, 'Vertex AI')
  await form.getByText('By model', { exact: true }).click()
  await form.getByRole('textbox', { name: 'Model 1' }).waitFor()
  await pickType(page, form, 'OpenAI')
  await form.getByLabel('Organization').waitFor()
  await form.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').last().getByRole('button', { name: 'Discard' }).click()
  await form.waitFor({ state: 'detached' })
  expect(operator.complaints).toEqual([])
})

it('a channel is made with pasted keys, fetched models, mappings, overrides and settings', async () => {
  const { page } = operator
  const form = await openNew(page)
  await form.getByLabel(/^Name/).fill('Whole')
  await form.getByRole('button', { name: 'Ask the upstream' }).click()
  await page.getByText('Please fill in the key first.').waitFor()
  await form.getByLabel(/^Key/).fill('sk-paste-0123456789-a,sk-paste-0123456789-b\nsk-paste-0123456789-c')
  await form.getByText('3 keys').waitFor()
  await form.getByLabel('Base URL').fill(`${upstream.url}/v1`)
  await form.getByText('ends in /v1').waitFor()
  await form.getByLabel('Base URL').fill(`${upstream.url}/`)
  await form.getByRole('button', { name: 'Ask the upstream' }).click()
  const picker = page.getByRole('dialog', { name: 'Choose models' })
  await picker.getByRole('button', { name: 'Use 3' }).waitFor()
  await picker.getByLabel('Model', { exact: true }).fill('mini')
  await picker.getByRole('button', { name: 'Invert shown' }).click()
  await picker.getByRole('button', { name: 'Use 2' }).click()
  await form.getByTitle('text-embedding-3-small', { exact: true }).waitFor()
  await form.getByRole('combobox', { name: /^Models/ }).fill('own-model,')
  await form.getByTitle('own-model', { exact: true }).waitFor()

  await form.getByRole('button', { name: 'Routing and overrides' }).click()
  const mapping = linesOf(form, 'Model mapping')
  await mapping.getByRole('button', { name: 'Add a line' }).click()
  await mapping.getByRole('textbox', { name: 'Asked for 1' }).fill('own-model')
  await mapping.getByText('Please fill in “At the upstream”.').waitFor()
  await mapping.getByRole('textbox', { name: 'At the upstream 1' }).fill('gpt-4o-mini')
  await mapping.getByText('JSON', { exact: true }).click()
  expect(JSON.parse(await mapping.getByRole('textbox').inputValue())).toEqual({ 'own-model': 'gpt-4o-mini' })
  const statuses = linesOf(form, 'Status mapping')
  await statuses.getByText('JSON', { exact: true }).click()
  await statuses.getByRole('textbox').fill('{"400":"500"}')
  const sent = linesOf(form, 'Header override')
  await sent.getByRole('button', { name: 'Add a line' }).click()
  await sent.getByRole('textbox', { name: 'Header 1' }).fill('x-team')
  await sent.getByRole('textbox', { name: 'Value 1' }).fill('research')
  await form.getByLabel('System prompt', { exact: true }).fill('Be brief.')
  await form.getByRole('switch', { name: 'Rebuild answers in the standard shape' }).click()
  await form.getByLabel('Parameter override').fill('{"temperature": 0')
  await form.getByText('This is not a JSON object.').waitFor()
  // Folded away, the mistake is shown all the same.
  await form.getByRole('button', { name: 'Routing and overrides' }).click()
  await form.getByRole('button', { name: 'Create' }).click()
  await form.getByText('This is not a JSON object.').waitFor()
  await form.getByLabel('Parameter override').fill('{"temperature": 0}')
  await form.getByRole('button', { name: 'Create' }).click()
  await page.getByText('Channel created').waitFor()
  expect(await stored(2)).toMatchObject({
    name: 'Whole',
    base_url: upstream.url,
    models: 'gpt-4o,text-embedding-3-small,own-model',
    model_mapping: expect.stringMatching(/^\{\s*"own-model": "gpt-4o-mini"\s*\}$/),
    status_code_mapping: '{"400":"500"}',
    param_override: '{"temperature": 0}',
    status: 1,
  })
  expect(JSON.stringify(await stored(2))).toContain('+2')
  expect(operator.complaints).toEqual([])
})

it('12.30 keys typed into the form are saved with it, and what the upstream lists is told from what is chosen', async () => {
  const { page } = operator
  await page.goto('/channel')
  const form = await openRow(page, 'Whole')
  await form.getByText('Leave empty to keep it').waitFor()
  await form.getByRole('button', { name: 'Ask the upstream' }).click()
  const picker = page.getByRole('dialog', { name: 'Choose models' })
  await picker.getByText('New (1)').click()
  await picker.getByRole('checkbox', { name: 'gpt-4o-mini', exact: true }).check()
  await picker.getByText('Not listed (1)').click()
  await picker.getByRole('checkbox', { name: 'own-model', exact: true }).waitFor()
  await picker.getByRole('button', { name: 'Use 4' }).click()
  await form.getByLabel(/^Key/).fill('sk-other-0123456789-one\nsk-other-0123456789-two')
  await form.getByText('2 keys').waitFor()
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Channel saved').waitFor()
  const keys = await send<readonly unknown[]>(gateway.url, '/api/channel/2/keys', { method: 'GET', headers })
  expect(JSON.stringify(keys)).toMatch(/-one.*-two/)
  const { models } = await stored(2)
  expect(models.split(',').toSorted()).toEqual([
    'gpt-4o',
    'gpt-4o-mini',
    'own-model',
    'text-embedding-3-small',
  ])
  expect(operator.complaints).toEqual([])
})

it('ten thousand keys are pasted, and each is kept', async () => {
  const { page } = operator
  await page.goto('/channel')
  const form = await openRow(page, 'Whole')
  const pasted = Array.from({ length: 10_000 }, (_, index) => `sk-many-0123456789-${index}`)
  await page.evaluate((text) => navigator.clipboard.writeText(text), pasted.join('\n'))
  await form.getByLabel(/^Key/).press('Control+V')
  await form.getByText('10000 keys').waitFor()
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Channel saved').waitFor()
  await page
    .getByRole('row')
    .filter({ hasText: 'Whole' })
    .getByRole('button', { name: 'More actions' })
    .click()
  await page.getByRole('menuitem', { name: 'Keys…' }).click()
  await page.getByRole('dialog').getByText('10000 enabled · 0 disabled · 0 refused').waitFor()
  expect(operator.complaints).toEqual([])
})

it('a base URL that ends in /v1 is asked about before it is saved', async () => {
  const { page } = operator
  await page.goto('/channel')
  const form = await openRow(page, 'Whole')
  await form.getByLabel('Base URL').fill(`${upstream.url}/v1`)
  await form.getByRole('button', { name: 'Save' }).click()
  const question = page.getByRole('dialog', { name: /Keep \/v1/ })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await question.getByRole('button', { name: 'Keep it' }).click()
  await page.getByText('Channel saved').waitFor()
  expect(await stored(2)).toMatchObject({ base_url: `${upstream.url}/v1` })
  expect(operator.complaints).toEqual([])
})
