import { routes } from '@tollgate/contract/routes'
import { answeringServers } from '@tollgate/testkit/databases'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestServer, type Visitor, startTestServer } from '../harness.ts'
import { openRealtimeCaller, REALTIME_MODEL, type RealtimeCaller } from '../relay/realtime-caller.ts'
import { openRealtimeVendor } from '../relay/realtime-vendor.ts'

const ROUNDS = process.env['TOLLGATE_FAULTS'] === 'long' ? 10 : 2
const QUOTA = 50_000_000

/**
 * Three gateways that share a database and nothing else. Permissions are taken away at the first; the sessions at
 * all of them end. A second is promised; the distribution is printed, because a busy machine takes longer.
 */
describe.each(await answeringServers())(
  'sessions at three gateways over $label',
  { timeout: 120_000 },
  (server) => {
    const leaving: (() => unknown)[] = []
    const gateways: TestServer[] = []
    const tookMs: number[] = []
    let vendor: Awaited<ReturnType<typeof openRealtimeVendor>>
    let names = 0

    beforeAll(async () => {
      const database = await server.createMigrated()
      leaving.push(() => database.drop())
      vendor = await openRealtimeVendor()
      leaving.push(() => vendor.close())
      // No periodic reload, so that changes can only be noticed through the database.
      const environment = { SQL_DSN: database.dsn, SYNC_FREQUENCY: '3600', UPDATE_TASK: 'false' }
      for (const skipsSetup of [false, true, true]) {
        const gateway = await startTestServer({ environment, skipsSetup })
        leaving.push(() => gateway.close())
        gateways.push(gateway)
      }
    })
    afterAll(async () => {
      const sorted = tookMs.toSorted((one, other) => one - other)
      const at = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0)
      console.log(
        `${sorted.length} sessions revoked at three gateways: ended after ${at(0)} ms at least, ` +
          `50 % ${at(0.5)}, 90 % ${at(0.9)}, 99 % ${at(0.99)}, ${at(1)} at most`,
      )
      while (leaving.length > 0) await leaving.pop()?.()
    })

    const root = () => gateways[0]?.root ?? expect.fail('the first gateway runs')

    async function addOwner() {
      const name = `caller-${++names}`
      const owner = (await gateways[0]?.user({ username: name })) ?? expect.fail('the first gateway runs')
      await root().call(routes.adminUser.changeQuota, { params: { id: owner.id }, body: { delta: QUOTA } })
      const { id, key } = await owner.call(routes.token.create, { body: { name, unlimited_quota: true } })
      const channel = await root().call(routes.channel.create, {
        body: {
          type: 1,
          key: 'sk-up',
          name,
          base_url: vendor.url,
          models: `${REALTIME_MODEL},${name}`,
          group: 'default',
        },
      })
      return { owner, tokenId: id, key: `sk-${key.replace(/^sk-/, '')}`, channelId: channel.id, name }
    }

    type Owner = Awaited<ReturnType<typeof addOwner>>

    /** Opens a session at each gateway, once each of them knows the caller. */
    async function enterEverywhere({ key }: Owner): Promise<readonly RealtimeCaller[]> {
      return Promise.all(
        gateways.map(async ({ address }) => {
          for (;;) {
            const caller = openRealtimeCaller({ address: address.replace('http', 'ws'), bearer: key })
            const isOpen = await Promise.race([
              caller.heard('session.created').then(() => true),
              caller.closed.then(() => false),
            ])
            leaving.push(() => caller.socket.terminate())
            if (isOpen) return caller
          }
        }),
      )
    }

    const revocations: Readonly<Record<string, (owner: Owner) => Promise<unknown>>> = {
      'its token is deleted': ({ owner, tokenId: id }) => owner.call(routes.token.remove, { params: { id } }),
      'its token is disabled': ({ owner, tokenId: id }) =>
        owner.call(routes.token.update, { query: { status_only: 'true' }, body: { id, status: 2 } }),
      'its token is limited to other models': ({ owner, tokenId: id, name }) =>
        owner.call(routes.token.update, {
          body: { id, name, unlimited_quota: true, model_limits_enabled: true, model_limits: 'other' },
        }),
      'its owner is disabled': ({ owner: { id } }) =>
        root().call(routes.adminUser.manage, { body: { id, action: 'disable' } }),
      'its owner is deleted': ({ owner: { id } }) =>
        root().call(routes.adminUser.manage, { body: { id, action: 'delete' } }),
      "its owner's quota is taken away": async ({ owner }) => takeAll(owner),
    }

    async function takeAll(owner: Visitor): Promise<void> {
      const { quota } = await owner.call(routes.user.readSelf)
      await root().call(routes.adminUser.changeQuota, { params: { id: owner.id }, body: { delta: -quota } })
    }

    it.each(Object.entries(revocations))('a session ends everywhere when %s', async (_name, revoke) => {
      for (let round = 0; round < ROUNDS; round++) {
        const owner = await addOwner()
        const callers = await enterEverywhere(owner)
        const started = performance.now()
        const ends = callers.map(async ({ closed }) => {
          const { code, reason } = await closed
          tookMs.push(performance.now() - started)
          return { code, isTold: reason !== '' }
        })
        await revoke(owner)
        expect(await Promise.all(ends)).toEqual(callers.map(() => ({ code: 1008, isTold: true })))
      }
    })

    it('the sessions of a channel end everywhere when it is switched off by hand', async () => {
      const owner = await addOwner()
      const channels = await root().call(routes.channel.list, { query: { page_size: '100' } })
      const callers = await enterEverywhere(owner)
      for (const { id } of channels) await root().call(routes.channel.update, { body: { id, status: 2 } })
      for (const { closed } of callers) expect(await closed).toMatchObject({ code: 1008 })
    })
  },
)
