import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routes } from '@tollgate/contract/routes'
import { randomToken } from '@tollgate/kit/ids'
import { invariant } from '@tollgate/kit/invariant'
import { answeringServers, type TestServer as DatabaseServer } from '@tollgate/testkit/databases'
import { answeringRedis, type TestRedis } from '@tollgate/testkit/redis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, ROOT, type TestServer, Visitor, startTestServer } from '../harness.ts'
import { openRealtimeCaller, REALTIME_MODEL, type RealtimeCaller } from '../relay/realtime-caller.ts'
import { openRealtimeVendor } from '../relay/realtime-vendor.ts'
import { startProgram } from './program.ts'

const ROUNDS = process.env['TOLLGATE_FAULTS'] === 'long' ? 10 : 2
const QUOTA = 50_000_000
/** No periodic reload, so that changes can only be noticed through notices. */
const ENVIRONMENT = { SYNC_FREQUENCY: '3600', UPDATE_TASK: 'false' }
const WORKERS = 3

/** Processes that serve one site. */
interface GatewaySite {
  /** Where sockets are opened: of one process each, or of one port that all of them share. */
  readonly addresses: readonly string[]
  readonly root: Visitor
  readonly addUser: (username: string) => Promise<Visitor>
  readonly close: () => Promise<void>
}

interface SiteKind {
  readonly label: string
  readonly open: () => Promise<GatewaySite>
}

async function openGateways(server: DatabaseServer, redis: TestRedis | undefined): Promise<GatewaySite> {
  const database = await server.createMigrated()
  const environment = {
    ...ENVIRONMENT,
    SQL_DSN: database.dsn,
    // The prefix of keys in Redis comes from the secret.
    CRYPTO_SECRET: `crypto secret of ${randomToken(12)}`,
    ...(redis && { REDIS_CONN_STRING: redis.url }),
  }
  const gateways: TestServer[] = []
  for (const skipsSetup of [false, true, true])
    gateways.push(await startTestServer({ environment, skipsSetup }))
  const [first] = gateways
  invariant(first, 'the first gateway runs')
  return {
    addresses: gateways.map(({ address }) => address),
    root: first.root,
    addUser: (username) => first.user({ username }),
    close: async () => {
      for (const gateway of gateways) await gateway.close()
      await database.drop()
    },
  }
}

/** Which worker has a socket is up to the system, so more are opened than there are workers. */
async function openWorkers(): Promise<GatewaySite> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-revoked-'))
  const program = await startProgram(folder, { ...ENVIRONMENT, WORKERS: String(WORKERS) })
  const { address } = program
  const root = new Visitor(address)
  const { username, password } = ROOT
  await root.call(routes.setup.run, { body: { username, password, confirmPassword: password } })
  await root.signIn(ROOT)
  return {
    addresses: Array.from({ length: 3 * WORKERS }, () => address),
    root,
    addUser: async (name) => {
      const visitor = new Visitor(address)
      await visitor.call(routes.session.register, { body: { username: name, password: PASSWORD } })
      await visitor.signIn({ username: name, password: PASSWORD })
      return visitor
    },
    close: async () => {
      program.child.kill('SIGTERM')
      await program.ended
      rmSync(folder, { recursive: true })
    },
  }
}

async function listSites(): Promise<readonly SiteKind[]> {
  const redis = await answeringRedis()
  const servers = await answeringServers()
  return [
    { label: 'three workers over SQLite', open: openWorkers },
    ...servers.flatMap((server) => [
      { label: `three gateways over ${server.label}`, open: () => openGateways(server, undefined) },
      ...(redis
        ? [
            {
              label: `three gateways over ${server.label} and Redis`,
              open: () => openGateways(server, redis),
            },
          ]
        : []),
    ]),
  ]
}

/**
 * Permissions are taken away at the first process; the sessions at all of them end. A second is promised, from the
 * request on; the distribution is printed, because a busy machine takes longer.
 */
describe.each(await listSites())('sessions at $label', { timeout: 120_000 }, ({ label, open }) => {
  const leaving: (() => unknown)[] = []
  const tookMs: number[] = []
  let site: GatewaySite
  let vendor: Awaited<ReturnType<typeof openRealtimeVendor>>
  let names = 0

  beforeAll(async () => {
    vendor = await openRealtimeVendor()
    leaving.push(() => vendor.close())
    site = await open()
    leaving.push(() => site.close())
  })
  afterAll(async () => {
    const sorted = tookMs.toSorted((one, other) => one - other)
    const at = (share: number) => Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0)
    console.log(
      `${sorted.length} sessions revoked at ${label}: ended after ${at(0)} ms at least, ` +
        `50 % ${at(0.5)}, 90 % ${at(0.9)}, 99 % ${at(0.99)}, ${at(1)} at most`,
    )
    while (leaving.length > 0) await leaving.pop()?.()
  })

  const root = () => site.root

  async function addOwner() {
    const name = `caller-${++names}`
    const owner = await site.addUser(name)
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

  /** Opens a session at each address, once each process knows the caller. */
  async function enterEverywhere({ key }: Owner): Promise<readonly RealtimeCaller[]> {
    return Promise.all(
      site.addresses.map(async (address) => {
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
})
