import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, type InputOf, type WholeAnswer, createClient } from '@tollgate/contract/client'
import type { RouteDefinition } from '@tollgate/contract/route'
import { routes } from '@tollgate/contract/routes'
import type { Self } from '@tollgate/contract/user'
import type { Clock } from '@tollgate/kit/clock'
import { type RunningServer, startServer } from '../src/app/index.ts'
import { readConfig } from '../src/config/index.ts'
import { openPasswords } from '../src/services/session/passwords.ts'
import type { SignInAddresses } from '../src/services/oauth/addresses.ts'
import { openNewStore } from '@tollgate/testkit/new-store'
import type { Logger } from 'pino'
import type { z } from 'zod'

/** The real application in this process, on a free port, with a database of its own. */
export interface TestServer {
  readonly server: RunningServer
  readonly address: string
  /** The super admin who did the setup; signed in. */
  readonly root: Visitor
  /** A browser without a session. */
  visitor(): Visitor
  /** A registered user, signed in. `role` is written directly to the store. */
  user(options?: { username?: string; role?: number }): Promise<Visitor>
  /** Stops the server, after its open calls for at most `drainMs` (default 0), and starts it again over the same database. */
  restart(options?: { readonly drainMs?: number }): Promise<TestServer>
  close(): Promise<void>
}

export interface TestServerOptions {
  readonly environment?: Readonly<Record<string, string>>
  readonly clock?: Clock
  /** Addresses of fake sign-in providers. */
  readonly providers?: SignInAddresses
  readonly log?: Logger
  /** Default: on disk, as in production. */
  readonly isInMemory?: boolean
  /**
   * The database has threads of its own, as in production. Without them a start takes 70 ms of CPU time
   * instead of 250 ms.
   */
  readonly hasThreads?: boolean
  /** Folder of a built console. Default: the project's own, built or not. */
  readonly consolePath?: string
  /** Default: the setup is done. */
  readonly skipsSetup?: boolean
}

/** Calls that end the caller's session; a test that calls every route leaves them out. */
export const farewells: ReadonlySet<RouteDefinition> = new Set<RouteDefinition>([
  routes.session.logout,
  routes.account.remove,
  routes.account.endSessions,
])

export const ROOT = { username: 'root', password: 'root-password-1' }
export const PASSWORD = 'user-password-1'

/** A password hash at the usual cost takes 30 ms and 19 MiB. */
const CHEAP_HASHING = { memoryCost: 64, timeCost: 1, parallelism: 1 }

export const ENVIRONMENT = {
  PORT: '0',
  HOST: '127.0.0.1',
  SESSION_SECRET: 'session secret of the tests',
  CRYPTO_SECRET: 'crypto secret of the tests',
  EGRESS_ALLOW: '127.0.0.1',
  GLOBAL_API_RATE_LIMIT: '1000000',
  GLOBAL_WEB_RATE_LIMIT: '1000000',
  CRITICAL_RATE_LIMIT: '1000000',
  LOG_LEVEL: 'silent',
  DRAIN_SECONDS: '5',
}

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-test-'))
  const sqlitePath = options.isInMemory ? ':memory:' : join(folder, 'tollgate.db')
  const started = await startOver(sqlitePath, options).catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true })
    throw error
  })
  if (!options.skipsSetup) await setUp(started.root)
  return withFolder(started, folder)
}

function withFolder(started: TestServer, folder: string): TestServer {
  return {
    ...started,
    restart: async (how) => withFolder(await started.restart(how), folder),
    close: async () => {
      await started.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function startOver(sqlitePath: string, options: TestServerOptions): Promise<TestServer> {
  const config = readConfig({ ...ENVIRONMENT, SQLITE_PATH: sqlitePath, ...options.environment })
  const server = await startServer(config, {
    passwords: openPasswords(CHEAP_HASHING),
    openStore: (wanted) => openNewStore({ ...wanted, ...(!options.hasThreads && { inline: {} }) }),
    ...(options.clock && { clock: options.clock }),
    ...(options.providers && { providers: options.providers }),
    ...(options.log && { log: options.log }),
    ...(options.consolePath && { consolePath: options.consolePath }),
  })
  const { address } = server
  return {
    server,
    address,
    root: new Visitor(address),
    visitor: () => new Visitor(address),
    user: (wish) => newUser(server, wish),
    restart: async ({ drainMs = 0 } = {}) => {
      await server.close({ drainMs })
      const again = await startOver(sqlitePath, options)
      await again.root.signIn(ROOT)
      return again
    },
    close: () => server.close({ drainMs: 0 }),
  }
}

async function setUp(root: Visitor): Promise<void> {
  const { username, password } = ROOT
  await root.call(routes.setup.run, { body: { username, password, confirmPassword: password } })
  await root.signIn(ROOT)
}

let users = 0

async function newUser(
  server: RunningServer,
  { username = `user${++users}`, role = 1 }: { username?: string; role?: number } = {},
): Promise<Visitor> {
  const visitor = new Visitor(server.address)
  await visitor.call(routes.session.register, { body: { username, password: PASSWORD } })
  const self = await visitor.signIn({ username, password: PASSWORD })
  if (role !== 1) await server.store.db.updateTable('users').set({ role }).where('id', '=', self.id).execute()
  return visitor
}

/** A browser with the console: keeps the cookie, sends the user header, and sends the origin of its page. */
export class Visitor {
  readonly address: string
  readonly client: Client
  /** Session cookie. */
  cookie = ''
  /** Cookie that identifies the browser while it signs in at a provider. */
  mark = ''
  id = -1

  constructor(address: string) {
    this.address = address
    this.client = createClient({
      baseUrl: address,
      headers: () => this.headers(),
      onUnauthorized: () => undefined,
      fetch: async (input, init) => {
        const response = await fetch(input, init)
        this.#keepCookie(response)
        return response
      },
    })
  }

  headers(): Record<string, string> {
    return {
      'Tollgate-User': String(this.id),
      origin: this.address,
      'accept-language': 'en',
      ...((this.cookie || this.mark) && { cookie: [this.cookie, this.mark].filter(Boolean).join('; ') }),
    }
  }

  call<Route extends RouteDefinition>(
    route: Route,
    ...input: InputOf<Route>
  ): Promise<z.output<Route['data']>> {
    return this.client.call(route, ...input)
  }

  callWhole<Route extends RouteDefinition>(
    route: Route,
    ...input: InputOf<Route>
  ): Promise<WholeAnswer<Route>> {
    return this.client.callWhole(route, ...input)
  }

  async signIn(body: { username: string; password: string }): Promise<Self> {
    const self = await this.call(routes.session.login, { body })
    this.id = self.id
    return self
  }

  /** Sends any request with this browser's headers; `init` may override them. */
  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(this.address + path, {
      ...init,
      headers: { ...this.headers(), ...Object.fromEntries(new Headers(init.headers)) },
    })
    this.#keepCookie(response)
    return response
  }

  #keepCookie(response: Response): void {
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';')
      if (pair.startsWith('session=')) this.cookie = pair
      else this.mark = pair
    }
  }
}
