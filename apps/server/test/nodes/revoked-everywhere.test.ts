import { routes } from '@tollgate/contract/routes'
import { answeringServers } from '@tollgate/testkit/databases'
import { type FakeUpstream, startFakeUpstream } from '@tollgate/testkit/fake-upstream'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { PASSWORD, type TestServer, type Visitor, startTestServer } from '../harness.ts'
import { addChannel, relayCall } from './operator.ts'

/** One second is promised; the second one is a margin for a machine that is busy with other tests. */
const WITHIN_MS = 2000

/**
 * Two gateways that share a database and nothing else. Changes are made at the first and checked at the
 * second.
 */
describe.each(await answeringServers())('without Redis, over $label', (server) => {
  const leaving: (() => unknown)[] = []
  let first: TestServer
  let second: TestServer
  let upstream: FakeUpstream

  beforeAll(async () => {
    const database = await server.createMigrated()
    leaving.push(() => database.drop())
    upstream = await startFakeUpstream({ keepsRequests: true })
    leaving.push(() => upstream.close())
    // No periodic reload, so that changes can only be noticed through the database.
    const environment = { SQL_DSN: database.dsn, SYNC_FREQUENCY: '3600', UPDATE_TASK: 'false' }
    first = await startTestServer({ environment })
    leaving.push(() => first.close())
    second = await startTestServer({ environment, skipsSetup: true })
    leaving.push(() => second.close())
    await addChannel(first.root, upstream.url)
  })
  afterAll(async () => {
    while (leaving.length > 0) await leaving.pop()?.()
  })

  const statusAtSecond = async (key: string) => (await relayCall({ address: second.address, key })).status
  const until = async (key: string, isWanted: (status: number) => boolean): Promise<number> => {
    const startMs = performance.now()
    await vi.waitUntil(async () => isWanted(await statusAtSecond(key)), { timeout: 20_000, interval: 20 })
    return performance.now() - startMs
  }

  async function workingToken(owner: Visitor, name: string) {
    const made = await owner.call(routes.token.create, { body: { name, unlimited_quota: true } })
    const key = `sk-${made.key.replace(/^sk-/, '')}`
    await until(key, (status) => status === 200)
    return { id: made.id, key }
  }

  async function userWithMoney(username: string): Promise<Visitor> {
    const visitor = await first.user({ username })
    await first.root.call(routes.adminUser.changeQuota, {
      params: { id: visitor.id },
      body: { delta: 1_000_000 },
    })
    return visitor
  }

  const expectRefusedSoon = async (key: string) => {
    expect(await until(key, (status) => status !== 200)).toBeLessThan(WITHIN_MS)
  }

  // These tests wait most of the time, and each has a user or a token of its own.
  describe.concurrent('at the same time', () => {
    it('a token that its owner deletes is refused by the other gateway within a second', async () => {
      const { id, key } = await workingToken(first.root, 'deleted')
      await first.root.call(routes.token.remove, { params: { id } })
      await expectRefusedSoon(key)
    })

    it('a token that its owner disables is refused by the other gateway within a second', async () => {
      const { id, key } = await workingToken(first.root, 'disabled')
      await first.root.call(routes.token.update, { query: { status_only: 'true' }, body: { id, status: 2 } })
      await expectRefusedSoon(key)
    })

    it('a token whose models are restricted is limited to them at the other gateway within a second', async () => {
      const { id, key } = await workingToken(first.root, 'narrowed')
      const body = {
        id,
        name: 'narrowed',
        unlimited_quota: true,
        model_limits_enabled: true,
        model_limits: 'other',
      }
      await first.root.call(routes.token.update, { body })
      await expectRefusedSoon(key)
    })

    it.each(['disable', 'delete'] as const)(
      'the tokens of a user are refused by the other gateway within a second: %s',
      async (action) => {
        const owner = await userWithMoney(`to-${action}`)
        const { key } = await workingToken(owner, 'own')
        await first.root.call(routes.adminUser.manage, { body: { id: owner.id, action } })
        await expectRefusedSoon(key)
      },
    )

    it('a demoted administrator cannot choose a channel at the other gateway within a second', async () => {
      const owner = await userWithMoney('demoted')
      await first.root.call(routes.adminUser.manage, { body: { id: owner.id, action: 'promote' } })
      await owner.signIn({ username: 'demoted', password: PASSWORD })
      const { key } = await workingToken(owner, 'chooses')
      const [channel] = await first.root.call(routes.channel.list, { query: {} })
      const pinned = `${key}-${channel?.id}`
      await until(pinned, (status) => status === 200)
      await first.root.call(routes.adminUser.manage, { body: { id: owner.id, action: 'demote' } })
      await expectRefusedSoon(pinned)
    })
  })

  it('a channel that is disabled or gets another key is not used as before within a second', async () => {
    const { key } = await workingToken(first.root, 'by channel')
    const [channel] = await first.root.call(routes.channel.list, { query: {} })
    const id = channel?.id ?? 0
    await first.root.call(routes.channel.update, { body: { id, status: 2 } })
    await expectRefusedSoon(key)
    await first.root.call(routes.channel.update, { body: { id, status: 1, key: 'sk-another-upstream-key' } })
    await until(key, (status) => status === 200)
    expect(upstream.book.at(-1)?.request?.headers['authorization']).toBe('Bearer sk-another-upstream-key')
  })

  it('calls are served while the changes table cannot be read, and the change is noticed afterwards', async () => {
    const { id, key } = await workingToken(first.root, 'in between')
    const { db } = second.server.store
    await db.schema.alterTable('changes').renameTo('changes_away').execute()
    try {
      await first.root.call(routes.token.update, { query: { status_only: 'true' }, body: { id, status: 2 } })
      await new Promise((resolve) => setTimeout(resolve, 1500))
      expect(await statusAtSecond(key)).toBe(200)
    } finally {
      await db.schema.alterTable('changes_away').renameTo('changes').execute()
    }
    await until(key, (status) => status === 401)
  })
})
