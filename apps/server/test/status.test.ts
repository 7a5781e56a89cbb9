import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { routes } from '@tollgate/contract/routes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestServer, startTestServer } from './harness.ts'

/** Status fields that the API promises, and those that consoles written for new-api read additionally. */
const PROMISED = `
  system_name logo footer_html quota_per_unit display_in_currency enable_drawing enable_task
  enable_data_export chats data_export_default_time default_collapse_sidebar mj_notify_enabled
  chat_link chat_link2 docs_link version start_time email_verification turnstile_check
  turnstile_site_key github_oauth github_client_id oidc_enabled oidc_client_id
  oidc_authorization_endpoint wechat_login wechat_qrcode telegram_oauth telegram_bot_name
  linuxdo_oauth linuxdo_client_id check_in_enabled setup self_use_mode_enabled demo_site_enabled
  server_address top_up_link price min_topup enable_online_topup enable_batch_update
`
  .trim()
  .split(/\s+/)

let gateway: TestServer
let releases: Server
let release: { readonly status: number; readonly text: string }

beforeAll(async () => {
  releases = createServer((_request, response) => {
    response.statusCode = release.status
    response.end(release.text)
  })
  await new Promise<void>((resolve) => releases.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on TCP
  const { port } = releases.address() as AddressInfo
  gateway = await startTestServer({
    isInMemory: true,
    environment: { RELEASES_URL: `http://127.0.0.1:${port}/latest` },
  })
})
afterAll(async () => {
  await gateway.close()
  releases.closeAllConnections()
  await new Promise((resolve) => releases.close(resolve))
})

const set = (key: string, value: string) => gateway.root.call(routes.option.update, { body: { key, value } })
const status = () => gateway.visitor().call(routes.status.read)

describe('the public status', () => {
  test('the status has every promised field, for everybody', async () => {
    const read = await status()
    expect(PROMISED.filter((field) => !Object.hasOwn(read, field))).toEqual([])
    expect(Object.values(read)).not.toContain(undefined)
    expect(Object.values(read)).not.toContain(null)
  })

  test.each([
    ['SystemName', 'Zollhaus', { system_name: 'Zollhaus' }],
    ['Logo', 'https://example.com/l.png', { logo: 'https://example.com/l.png' }],
    ['Footer', '<b>foot</b>', { footer_html: '<b>foot</b>' }],
    ['ServerAddress', 'https://gate.example/', { server_address: 'https://gate.example' }],
    ['TopUpLink', 'https://shop.example', { top_up_link: 'https://shop.example' }],
    ['general_setting.docs_link', 'https://docs.example/', { docs_link: 'https://docs.example' }],
    ['QuotaPerUnit', '1000', { quota_per_unit: 1000 }],
    ['DisplayInCurrencyEnabled', 'false', { display_in_currency: false }],
    ['QuotaRemindThreshold', '250000', { quota_remind_threshold: 250_000 }],
    ['DemoSiteEnabled', 'true', { demo_site_enabled: true }],
    ['SelfUseModeEnabled', 'true', { self_use_mode_enabled: true }],
    ['DataExportDefaultTime', 'week', { data_export_default_time: 'week' }],
    ['CheckInEnabled', 'true', { check_in_enabled: true }],
    ['RegisterEnabled', 'false', { register_enabled: false }],
  ])('the status follows the setting %s', async (key, value, shown) => {
    await set(key, value)
    expect(await status()).toMatchObject(shown)
  })

  test('pages written by the operator are public, and empty by default', async () => {
    const visitor = gateway.visitor()
    for (const [key, route] of [
      ['Notice', routes.status.notice],
      ['About', routes.status.about],
      ['HomePageContent', routes.status.home],
    ] as const) {
      expect(await visitor.call(route)).toBe('')
      await set(key, `# ${key}`)
      expect(await visitor.call(route)).toBe(`# ${key}`)
    }
  })
})

const check = () => gateway.root.call(routes.status.checkUpdate)

describe('the update check', () => {
  test('the check reports a newer release, and when there is none', async () => {
    const notes = 'x'.repeat(10_000)
    const page = { html_url: 'https://example.com/r', published_at: '2026-11-20T10:00:00Z', body: notes }
    release = { status: 200, text: JSON.stringify({ ...page, tag_name: 'v99.0.0' }) }
    const found = await check()
    expect(found).toMatchObject({ latest: 'v99.0.0', is_newer: true, url: page.html_url })
    expect(found.notes).toHaveLength(4000)
    release = { status: 200, text: JSON.stringify({ tag_name: 'v0.0.1', html_url: 'javascript:alert(1)' }) }
    expect(await check()).toMatchObject({ latest: 'v0.0.1', is_newer: false, url: '', notes: '' })
  })

  test.each([
    ['no JSON', { status: 200, text: '<html>' }],
    ['no release', { status: 404, text: '{"message":"Not Found"}' }],
    ['too much', { status: 200, text: 'x'.repeat(2_000_000) }],
  ])('a response with %s makes the check fail with a plain message', async (_name, answer) => {
    release = answer
    await expect(check()).rejects.toThrow(/^The check for updates has failed/)
  })
})
