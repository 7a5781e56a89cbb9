import { routes } from '@tollgate/contract/routes'
import { afterEach, expect, test } from 'vitest'
import { answeringServers } from '@tollgate/testkit/databases'
import { ROOT, type TestServer, startTestServer } from './harness.ts'

let gateway: TestServer
afterEach(() => gateway.close())

const databases = await answeringServers()

const body = { ...ROOT, confirmPassword: ROOT.password, SelfUseModeEnabled: true }

test('the setup creates the super admin with quota and settings, and works once', async () => {
  gateway = await startTestServer({ skipsSetup: true })
  const { root } = gateway
  expect(await root.call(routes.setup.read)).toEqual({
    status: false,
    root_init: false,
    database_type: 'sqlite',
    token_needed: false,
  })
  expect((await root.call(routes.status.read)).setup).toBe(false)
  await root.call(routes.setup.run, { body })
  expect(await root.call(routes.setup.read)).toEqual({
    status: true,
    root_init: false,
    database_type: '',
    token_needed: false,
  })
  const status = await root.call(routes.status.read)
  expect(status).toMatchObject({ setup: true, self_use_mode_enabled: true, server_address: gateway.address })
  const self = await root.signIn(ROOT)
  expect(self).toMatchObject({ role: 100, quota: 100_000_000, used_quota: 0, display_name: 'Root User' })
  await expect(gateway.visitor().call(routes.setup.run, { body })).rejects.toMatchObject({ status: 400 })
  expect((await gateway.server.ledger.audit()).findings).toEqual([])
})

test.each(databases)('before the setup the gateway reports that data is stored in $label', async (server) => {
  const database = await server.createDatabase()
  gateway = await startTestServer({ skipsSetup: true, environment: { SQL_DSN: database.dsn } })
  const { database_type: type } = await gateway.root.call(routes.setup.read)
  expect(type).toBe(server.label === 'PostgreSQL' ? 'postgres' : 'mysql')
  await gateway.close()
  await database.drop()
  gateway = await startTestServer({ isInMemory: true })
})

test('an invalid setup body is refused with 400', async () => {
  gateway = await startTestServer({ skipsSetup: true })
  for (const sent of ['{nope', '{"username":5}']) {
    const headers = { 'content-type': 'application/json' }
    const answer = await gateway.root.fetch('/api/setup', { method: 'POST', headers, body: sent })
    expect([answer.status, await answer.json()]).toMatchObject([400, { success: false }])
  }
})

test('Unlike new-api: of many concurrent setups one succeeds, and there is one super admin', async () => {
  gateway = await startTestServer({ skipsSetup: true })
  const attempts = Array.from({ length: 8 }, (_, index) =>
    gateway.visitor().call(routes.setup.run, { body: { ...body, username: `root${index}` } }),
  )
  const outcomes = await Promise.allSettled(attempts)
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  const refusals = outcomes.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
  expect(refusals).toEqual(Array(7).fill('ApiError: The setup is already done'))
  const { db } = gateway.server.store
  expect(await db.selectFrom('users').select('role').execute()).toEqual([{ role: 100 }])
  expect(await db.selectFrom('setups').select('id').execute()).toEqual([{ id: 1 }])
  const entries = await db.selectFrom('entry').select(['op_key', 'amount']).execute()
  expect(entries.map(({ amount }) => amount)).toEqual([100_000_000n])
})

test.each([
  ['a short password', { password: 'seven77', confirmPassword: 'seven77' }],
  ['a long password', { password: 'x'.repeat(21), confirmPassword: 'x'.repeat(21) }],
  ['two passwords', { confirmPassword: 'another-one' }],
  ['no name', { username: '  ' }],
  ['a long name', { username: 'thirteenchars' }],
  ['a name like an address', { username: 'a@b' }],
])('%s is refused, and the setup stays open', async (_name, part) => {
  gateway = await startTestServer({ skipsSetup: true })
  const refused = gateway.root.call(routes.setup.run, { body: { ...body, ...part } })
  await expect(refused).rejects.toMatchObject({ status: 400 })
  expect(await gateway.root.call(routes.setup.read)).toMatchObject({ status: false, root_init: false })
})

test('a credit that a crash prevented after the setup is given at the next start, once', async () => {
  gateway = await startTestServer()
  const { db } = gateway.server.store
  const { id } = await gateway.root.call(routes.user.readSelf)
  await db.deleteFrom('entry').where('op_key', '=', 'setup:root').execute()
  await db.deleteFrom('account').where('owner_id', '=', id).execute()
  gateway = await gateway.restart()
  expect(await gateway.root.call(routes.user.readSelf)).toMatchObject({ quota: 100_000_000 })
  gateway = await gateway.restart()
  expect(await gateway.root.call(routes.user.readSelf)).toMatchObject({ quota: 100_000_000 })
})
