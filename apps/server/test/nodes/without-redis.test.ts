import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routes } from '@tollgate/contract/routes'
import { answeringServers } from '@tollgate/testkit/databases'
import { type FakeUpstream, startFakeUpstream } from '@tollgate/testkit/fake-upstream'
import { randomToken } from '@tollgate/kit/ids'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { localhostCertificate } from '@tollgate/testkit/localhost-certificate'
import { MAIL_PASSWORD, MAIL_USER, type MailServer, startMailServer } from '../accounts/mail-server.ts'
import { begin, comeBack } from '../sign-in/sign-in-harness.ts'
import { ISSUER_CLIENT, type Issuer, openIssuer } from '../sign-in/issuer.ts'
import { PASSWORD, Visitor } from '../harness.ts'
import { guesses } from './guesses.ts'
import { type Operator, operate, relayCall } from './operator.ts'
import { type Program, startProgram } from './program.ts'

const CRITICAL_LIMIT = 20
const isLong = process.env['TOLLGATE_FAULTS'] === 'long'
/** The short form runs on one database server only: the store's own tests cover every server. */
const servers = (await answeringServers()).slice(0, isLong ? undefined : 1)

/** The nodes notice changes through the database alone. */
describe.each(servers)('three gateways over $label and no Redis', (server) => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-alone-'))
  const leaving: (() => unknown)[] = []
  let nodes: readonly [Program, Program, Program]
  let upstream: FakeUpstream
  let mailbox: MailServer
  let operator: Operator

  beforeAll(async () => {
    const database = await server.createMigrated()
    leaving.push(() => database.drop())
    upstream = await startFakeUpstream()
    mailbox = await startMailServer()
    leaving.push(() => Promise.all([upstream.close(), mailbox.close()]))
    const authority = join(folder, 'authority.pem')
    writeFileSync(authority, localhostCertificate)
    const start = async () => {
      const program = await startProgram(folder, {
        SQL_DSN: database.dsn,
        // No periodic reload, so that changes can only be noticed through the database.
        SYNC_FREQUENCY: '3600',
        CRYPTO_SECRET: secret,
        CRITICAL_RATE_LIMIT: String(CRITICAL_LIMIT),
        TRUSTED_PROXIES: '127.0.0.1',
        NODE_EXTRA_CA_CERTS: authority,
      })
      leaving.push(() => program.child.kill('SIGKILL') && program.ended)
      return program
    }
    const secret = `crypto secret of ${randomToken(12)}`
    const first = await start()
    nodes = [first, ...(await Promise.all([start(), start()]))]
    operator = await operate(first.address, upstream)
  })
  afterAll(async () => {
    while (leaving.length > 0) await leaving.pop()?.()
    rmSync(folder, { recursive: true })
  })

  const set = async (values: Readonly<Record<string, string>>): Promise<void> => {
    for (const [key, value] of Object.entries(values))
      await operator.root.call(routes.option.update, { body: { key, value } })
  }

  /** Waits until the condition is true at every node; returns the milliseconds until the last one. */
  async function everywhere(isTrue: (node: Program) => Promise<boolean>): Promise<number> {
    const startMs = performance.now()
    const waiting = nodes.map((node) => vi.waitUntil(() => isTrue(node), { timeout: 20_000, interval: 50 }))
    await Promise.all(waiting)
    return Math.round(performance.now() - startMs)
  }

  it('a change at one node takes effect at all nodes within a second', async () => {
    const { root, newToken } = operator
    const took: Record<string, number> = {}
    const keys = { token: await newToken('switched off'), other: await newToken('stays') }
    took['new token'] = await everywhere(async (node) => (await status(node, keys.token)) === 200)

    await set({ SystemName: 'Gate without notices' })
    took['option'] = await everywhere(async ({ address }) => {
      const { system_name: name } = await new Visitor(address).call(routes.status.read)
      return name === 'Gate without notices'
    })

    const tokens = await root.call(routes.token.list, { query: {} })
    const id = tokens.find(({ name }) => name === 'switched off')?.id ?? 0
    await root.call(routes.token.update, { query: { status_only: 'true' }, body: { id, status: 2 } })
    took['token'] = await everywhere(async (node) => (await status(node, keys.token)) === 401)

    const [channel] = await root.call(routes.channel.list, { query: {} })
    await root.call(routes.channel.update, { body: { id: channel?.id ?? 0, status: 2 } })
    took['channel'] = await everywhere(async (node) => (await status(node, keys.other)) === 503)
    await root.call(routes.channel.update, { body: { id: channel?.id ?? 0, status: 1 } })
    await everywhere(async (node) => (await status(node, keys.other)) === 200)

    const person = new Visitor(root.address)
    await person.call(routes.session.register, { body: { username: 'somebody', password: PASSWORD } })
    const { id: userId } = await person.signIn({ username: 'somebody', password: PASSWORD })
    const { key } = await person.call(routes.token.create, { body: { name: 'own', unlimited_quota: true } })
    await root.call(routes.adminUser.changeQuota, { params: { id: userId }, body: { delta: 1_000_000 } })
    await everywhere(async (node) => (await status(node, key)) === 200)
    await root.call(routes.adminUser.manage, { body: { id: userId, action: 'disable' } })
    took['user'] = await everywhere(async (node) => (await status(node, key)) !== 200)
    const sessions = nodes.map((node) => at(node, person).fetch('/api/user/self'))
    expect((await Promise.all(sessions)).map((response) => response.status)).toEqual([401, 401, 401])
    console.log(`${server.label}: seen after ${JSON.stringify(took)} ms`)
  })

  it('each node counts on its own, so the total limit is multiplied by the number of nodes', async () => {
    const [one] = nodes
    expect(await guesses('203.0.113.1', [one], CRITICAL_LIMIT + 5)).toBe(CRITICAL_LIMIT)
    expect(await guesses('203.0.113.2', nodes, CRITICAL_LIMIT + 5)).toBe(3 * CRITICAL_LIMIT)
  })

  describe('codes, links and states that work once', () => {
    const EMAIL = 'somebody@example.com'
    let issuer: Issuer

    beforeAll(async () => {
      const [{ address }] = nodes
      issuer = await openIssuer({ redirectUris: [`${address}/oauth/oidc`], people: { ada: { name: 'Ada' } } })
      leaving.push(() => issuer.close())
      await set({
        SMTPServer: 'localhost',
        SMTPPort: String(mailbox.port),
        SMTPAccount: MAIL_USER,
        SMTPToken: MAIL_PASSWORD,
        ServerAddress: address,
        EmailVerificationEnabled: 'true',
        'oidc.client_id': ISSUER_CLIENT.client_id,
        'oidc.client_secret': ISSUER_CLIENT.client_secret,
        'oidc.well_known': `${issuer.address}/.well-known/openid-configuration`,
        'oidc.enabled': 'true',
      })
      await everywhere(async (node) => {
        const status = await new Visitor(node.address).call(routes.status.read)
        return status.oidc_enabled && status.email_verification
      })
    })

    it('a mailed code is accepted by another node, and once', async () => {
      const [first, ...others] = nodes
      await new Visitor(first.address).call(routes.mail.sendCode, { query: { email: EMAIL } })
      const [code = ''] = /[2-9A-Z]{4}-[2-9A-Z]{4}/.exec(await nextMail(mailbox)) ?? []
      const tries = [...others, first].map(({ address }, index) => {
        const body = { username: `code${index}`, password: PASSWORD, email: EMAIL, verification_code: code }
        return new Visitor(address).call(routes.session.register, { body })
      })
      expect(await acceptedOf(tries)).toBe(1)
    })

    it('a password reset link is accepted by another node, and once', async () => {
      const [first, second] = nodes
      await new Visitor(second.address).call(routes.mail.sendResetLink, { query: { email: EMAIL } })
      const link = new URL(/http:\S+/.exec(await nextMail(mailbox))?.[0] ?? '')
      const token = link.searchParams.get('token') ?? ''
      const tries = nodes.map(({ address }, index) => {
        const body = { email: EMAIL, token, password: `new-password-${index}` }
        return new Visitor(address).call(routes.mail.resetPassword, { body })
      })
      expect(await acceptedOf(tries)).toBe(1)
      const signIns = nodes.map((_, index) =>
        new Visitor(first.address).signIn({ username: EMAIL, password: `new-password-${index}` }),
      )
      expect(await acceptedOf(signIns)).toBe(1)
    })

    it('a sign-in through a provider started at one node can be completed at another, once', async () => {
      const [first] = nodes
      const who = new Visitor(first.address)
      const { authorizeUrl } = await begin(who, 'oidc')
      const back = await issuer.approve(authorizeUrl, 'ada')
      expect(await acceptedOf(nodes.map((node) => comeBack(at(node, who), 'oidc', back)))).toBe(1)
    })
  })
})

const status = async ({ address }: Program, key: string) => (await relayCall({ address, key })).status

/** The same browser at another node, as behind a load balancer. */
const at = ({ address }: Program, { cookie, mark, id }: Visitor): Visitor =>
  Object.assign(new Visitor(address), { cookie, mark, id })

async function acceptedOf(calls: readonly Promise<unknown>[]): Promise<number> {
  return (await Promise.allSettled(calls)).filter((call) => call.status === 'fulfilled').length
}

async function nextMail({ mails }: MailServer): Promise<string> {
  await expect.poll(() => mails.length).toBeGreaterThan(0)
  return mails.shift()?.text ?? ''
}
