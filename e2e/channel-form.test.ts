import type { ChannelType } from '@tollgate/contract/channel-upstream'
import { startFakeUpstream, type FakeUpstream } from '@tollgate/testkit/fake-upstream'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { visit, type Visit } from './support/browser.ts'
import { startGateway, type Gateway } from './support/gateway.ts'
import { endVisits, launchBrowser } from './support/launch.ts'
import { isLong } from './support/looks.ts'
import { seedSite, send, signIn, signInAs } from './support/seed.ts'

/** The channel form, field by field: what each provider requires, models, keys, mappings and settings. */
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

const stored = (id: number): Promise<{ models: string; setting: string }> =>
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

/** The line editor with this name, as a table or as text. */
const linesOf = (form: Locator, name: string) => form.getByRole('group', { name, exact: true })

it('the fields follow the provider, and a missing value is reported at its field', async () => {
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
  await form.getByLabel('Account ID').waitFor()
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

it('a channel is created with pasted keys, fetched models, mappings, overrides and settings', async () => {
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
  await form.getByRole('switch', { name: 'Rebuild answers in the standard format' }).click()
  await form.getByLabel('Parameter override').fill('{"temperature": 0')
  await form.getByText('Line 1, column 18: A comma or the closing bracket is expected here').waitFor()
  // An error in a collapsed section is still shown.
  await form.getByRole('button', { name: 'Routing and overrides' }).click()
  await form.getByRole('button', { name: 'Create' }).click()
  await form.getByText('Line 1, column 18: A comma or the closing bracket is expected here').waitFor()
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

it('keys entered in the form are saved with it, and fetched models are compared with the chosen ones', async () => {
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
  const question = page.getByRole('dialog', { name: 'Replace all 3 keys?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await form.getByText('Leave the key empty to keep the stored ones.').waitFor()
  await form.getByRole('button', { name: 'Save' }).click()
  await question.getByRole('button', { name: 'Replace keys' }).click()
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

it('ten thousand pasted keys are all saved', async () => {
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

it('a base URL that ends in /v1 must be confirmed before it is saved', async () => {
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

/** The parts of the form that differ between providers, read from the page in one call. */
const shown = (form: Locator, type: ChannelType) =>
  form.evaluate((node: HTMLElement, address) => {
    const lines = new Set(node.innerText.split('\n').map((line) => line.trim()))
    const hintOf = (name: string) => node.querySelector(`#${name}`)?.getAttribute('placeholder')
    const models = node.querySelector('#models')?.closest('.ant-select')
    return {
      key: hintOf('key'),
      baseUrl: hintOf('baseUrl'),
      isAddressExplained: lines.has(address),
      other: node.querySelector('#other-label')?.textContent,
      canAsk: lines.has('Ask the upstream'),
      models: models?.querySelectorAll('.ant-select-selection-item').length,
      hasOrganization: lines.has('Organization'),
      hasResponsesVersion: lines.has('API version of Responses'),
      hasBeta: lines.has('Ask with ?beta=true'),
      hasRoutes: lines.has('Add a route'),
    }
  }, addressHelpOf(type))

const addressHelpOf = ({ address, base_url: usual }: ChannelType): string =>
  usual === '' ? `${address.help.en} Example: ${address.example}` : `${address.help.en} Empty: ${usual}`

/** The short form picks every eighth provider and those with a field of their own. */
const SPECIAL: ReadonlySet<string> = new Set(['openai', 'azure', 'anthropic', 'advanced'])

it('each provider has its own key hint, address, extra field and models', async () => {
  const { page } = operator
  const types = await send<readonly ChannelType[]>(gateway.url, '/api/channel/types', {
    method: 'GET',
    headers,
  })
  expect(types.length).toBeGreaterThan(50)
  const form = await openNew(page)
  await form.getByRole('button', { name: 'Routing and overrides' }).click()
  const picked = types.filter(({ id }, index) => isLong || SPECIAL.has(id) || index % 8 === 0)
  for (const type of picked) {
    await pickType(page, form, type.label)
    await expect
      .poll(() => shown(form, type), { message: type.label, interval: 20, timeout: 5_000 })
      .toEqual({
        key: type.key_hint,
        baseUrl: type.base_url || type.address.example,
        isAddressExplained: true,
        other: type.other?.label.en,
        canAsk: type.can_list_models,
        models: type.models.length > 24 ? 13 : type.models.length,
        hasOrganization: type.type === 1,
        hasResponsesVersion: type.id === 'azure',
        hasBeta: type.id === 'anthropic',
        hasRoutes: type.id === 'advanced',
      })
  }
  expect(operator.complaints).toEqual([])
})

it('settings that only one provider has are stored with its channel', async () => {
  const { page } = operator
  const made: { type: string; fill: (form: Locator) => Promise<void>; other: string; setting: object }[] = [
    {
      type: 'Azure OpenAI',
      fill: async (form) => {
        await form.getByLabel('Default API version').fill('2024-10-21')
        await form.getByLabel('API version of Responses').fill('preview')
      },
      other: '2024-10-21',
      setting: { azure_responses_version: 'preview' },
    },
    {
      type: 'Anthropic Claude',
      fill: (form) => form.getByRole('switch', { name: 'Ask with ?beta=true' }).click(),
      other: '',
      setting: { claude_beta_query: true },
    },
    {
      type: 'Advanced custom',
      fill: async (form) => {
        await form.getByRole('button', { name: 'Add a route' }).click()
        await form.getByLabel('Callers ask for 1').fill('v1/messages')
        await form.getByText('is a path that begins with /.').waitFor()
        await form.getByLabel('Callers ask for 1').fill('/v1/messages')
        await form.getByLabel('Converter 1').fill('claude_to_openai')
        await form.getByRole('combobox', { name: 'How the key is shown 1' }).click()
        await page.getByTitle('In a header', { exact: true }).last().click()
        await form.getByLabel('Name 1', { exact: true }).fill('x-api-key')
        await form.getByLabel('Models (empty: all) 1').fill('own-model, re:^o[13]')
      },
      other: '',
      setting: {
        advanced_routes: [
          {
            incoming_path: '/v1/messages',
            upstream_path: '/v1/chat/completions',
            converter: 'claude_to_openai',
            models: ['own-model', 're:^o[13]'],
            auth: { type: 'header', name: 'x-api-key' },
          },
        ],
      },
    },
  ]
  for (const { type, fill, other, setting } of made) {
    const form = page.getByRole('dialog', { name: 'New channel' })
    await page.goto('/channel')
    await page.getByRole('button', { name: 'New channel' }).click()
    await pickType(page, form, type)
    await form.getByLabel(/^Name/).first().fill(type)
    await form.getByLabel(/^Key/).fill('sk-kind-0123456789')
    await form.getByLabel(/^Base URL/).fill(upstream.url)
    await form.getByText('Clear', { exact: true }).click()
    await form.getByRole('combobox', { name: /^Models/ }).fill('own-model,')
    await form.getByRole('button', { name: 'Routing and overrides' }).click()
    await fill(form)
    await form.getByRole('button', { name: 'Create' }).click()
    await form.waitFor({ state: 'detached' })
    const [channel] = await send<readonly { id: number }[]>(
      gateway.url,
      `/api/channel/search?keyword=${encodeURIComponent(type)}`,
      { method: 'GET', headers },
    )
    const kept = await stored(channel?.id ?? 0)
    expect(kept).toMatchObject({ name: type, models: 'own-model', other })
    expect(JSON.parse(kept.setting)).toEqual(setting)
  }
  expect(operator.complaints).toEqual([])
})

it('every other field of a channel can be changed, stored, shown again and reset', async () => {
  const { page } = operator
  await page.goto('/channel')
  const form = await openRow(page, 'Fake upstream')
  await form.getByLabel('Organization').fill('org-walk')
  await form.getByRole('textbox', { name: 'Priority' }).fill('7')
  await form.getByRole('textbox', { name: 'Weight' }).fill('3')
  await form.getByRole('combobox', { name: 'Groups' }).fill('vip')
  await page.getByTitle('vip', { exact: true }).last().click()
  await form.getByRole('switch', { name: 'May be disabled automatically' }).click()
  await form.getByRole('button', { name: 'Routing and overrides' }).click()
  await form.getByLabel('Model prefix').fill('east-')
  await form.getByRole('combobox', { name: 'Model for tests' }).click()
  await page.getByTitle('gpt-4o-mini', { exact: true }).last().click()
  await form.getByRole('combobox', { name: 'Tag' }).fill('east')
  const mapping = linesOf(form, 'Model mapping')
  await mapping.getByText('JSON', { exact: true }).click()
  await mapping.getByRole('textbox').fill('{"gpt-4o":"gpt-4o-mini"}')
  const statuses = linesOf(form, 'Status mapping')
  await statuses.getByRole('button', { name: 'Add a line' }).click()
  await statuses.getByRole('textbox').first().fill('429')
  await statuses.getByRole('textbox').last().fill('503')
  const sent = linesOf(form, 'Header override')
  await sent.getByText('JSON', { exact: true }).click()
  await sent.getByRole('textbox').fill('{"x-team":"{client_header:x-team}"}')
  await form.getByLabel('Parameter override').fill('{"temperature":0}')
  const setting = form.getByLabel('Settings', { exact: true })
  await setting.fill('{"force_format": tru')
  await form.getByText('Line 1, column 18: A value is expected here, not tru.').waitFor()
  await setting.fill('{"force_format": true, "own_member": [1]}')
  const rebuilt = form.getByRole('switch', { name: 'Rebuild answers in the standard format' })
  expect(await rebuilt.getAttribute('aria-checked')).toBe('true')
  for (const name of [
    'System prompt before the caller’s own',
    'The upstream cannot stream',
    'Rebuild answers in the standard format',
    'Show thinking inside the answer',
    'Pass request bodies through unchanged',
  ])
    await form.getByRole('switch', { name }).click()
  await form.getByLabel('System prompt', { exact: true }).fill('Be brief.')
  for (const member of ['service_tier', 'speed', 'inference_geo', 'safety_identifier', 'store'])
    await form.getByRole('checkbox', { name: member, exact: true }).check()
  const costs = linesOf(form, 'Cost ratio')
  await costs.getByRole('spinbutton').fill('0.8')
  await costs.getByRole('button', { name: 'Add a line' }).click()
  await costs.getByRole('textbox', { name: 'Model 1' }).fill('gpt-4o')
  await costs.getByRole('textbox', { name: 'Cost ratio 1' }).fill('0.5')
  const traits = form.getByLabel('Model traits', { exact: true })
  await traits.fill('{"gpt-6*": ')
  await form.getByText('Line 1, column 12: A value is expected here').waitFor()
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('The model traits are not a JSON object.').waitFor()
  await traits.fill('{"gpt-6*": {"efforts": ["low", "high"]}}')
  await form.getByLabel('Proxy').fill('ftp://127.0.0.1')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('alert').filter({ hasText: /proxy/i }).first().waitFor()
  await form.getByLabel('Proxy').fill('socks5://127.0.0.1:1080')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Channel saved').waitFor()
  await form.waitFor({ state: 'detached' })
  const kept = await stored(1)
  expect(kept).toMatchObject({
    openai_organization: 'org-walk',
    priority: 7,
    weight: 3,
    group: 'default,vip',
    auto_ban: 0,
    model_prefix: 'east-',
    test_model: 'gpt-4o-mini',
    tag: 'east',
    model_mapping: '{"gpt-4o":"gpt-4o-mini"}',
    status_code_mapping: expect.stringMatching(/^\{\s*"429": "503"\s*\}$/),
    header_override: '{"x-team":"{client_header:x-team}"}',
    param_override: '{"temperature":0}',
  })
  expect(JSON.parse(kept.setting)).toEqual({
    own_member: [1],
    model_traits: { 'gpt-6*': { efforts: ['low', 'high'] } },
    proxy: 'socks5://127.0.0.1:1080',
    system_prompt: 'Be brief.',
    system_prompt_override: true,
    stream_support: 'NON_STREAM_ONLY',
    thinking_to_content: true,
    pass_through_body_enabled: true,
    allow_service_tier: true,
    allow_speed: true,
    allow_inference_geo: true,
    allow_safety_identifier: false,
    disable_store: true,
    cost_ratio: 0.8,
    cost_ratios: { 'gpt-4o': 0.5 },
  })

  await openRow(page, 'Fake upstream')
  await form.getByRole('button', { name: 'Routing and overrides' }).click()
  await expect.poll(() => form.getByLabel('Proxy').inputValue()).toBe('socks5://127.0.0.1:1080')
  expect(await form.getByRole('combobox', { name: 'Tag' }).inputValue()).toBe('east')
  expect(await statuses.getByRole('textbox').last().inputValue()).toBe('503')
  await form.getByLabel('Organization').fill('')
  await form.getByRole('switch', { name: 'May be disabled automatically' }).click()
  await form.getByLabel('Model prefix').fill('')
  await form.getByRole('combobox', { name: 'Model for tests' }).click()
  await page.getByTitle('The first one', { exact: true }).last().click()
  await form.getByRole('combobox', { name: 'Tag' }).fill('')
  for (const lines of [mapping, statuses, sent])
    await lines.getByRole('button', { name: 'Remove line 1' }).click()
  await form.getByLabel('Parameter override').fill('')
  await setting.fill('')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.waitFor({ state: 'detached' })
  expect(await stored(1)).toMatchObject({
    openai_organization: '',
    auto_ban: 1,
    model_prefix: '',
    test_model: '',
    tag: '',
    model_mapping: '',
    status_code_mapping: '',
    header_override: '',
    param_override: '',
    setting: '',
  })
  expect(operator.complaints).toEqual([])
})
