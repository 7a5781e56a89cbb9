import { randomBytes } from 'node:crypto'
import { paths } from '../workload.ts'
import { createGatewayDatabase, type GatewayDatabase, type StoreName } from './gateway-database.ts'
import { seedGateway } from './seed-gateway.ts'
import { seedUsers } from './seed-users.ts'
import { startGateway, type GatewayInput, type StartedGateway } from './start-gateway.ts'
import type { RunningTarget, Target, TargetInput } from './target.ts'

export interface GatewaySetup {
  readonly store: StoreName
  /** Gateway processes with an address each, over one database. */
  readonly nodes: number
  /** Worker processes of each node. */
  readonly workers: number
  /** The installed program instead of the sources. */
  readonly isBundle: boolean
  /** See {@link GatewayInput}. */
  readonly root?: string
}

export interface RunningGateway extends RunningTarget {
  readonly database: GatewayDatabase
  /** Ends its processes and keeps the database, which `stop` drops. */
  end(): Promise<void>
}

/**
 * The real gateway process with its own database: authentication, routing, hold, settlement and log row are
 * all active.
 */
export function gatewayTarget(setup: GatewaySetup): Target {
  return {
    name: 'gateway',
    about: `Tollgate with authentication, routing, hold, settlement and log row${circumstances(setup)}`,
    start: (input) => runGateway(setup, input),
  }
}

function circumstances({ store, nodes, workers, isBundle }: GatewaySetup): string {
  const processes = nodes * workers === 1 ? '' : `, nodes: ${nodes}, workers of each: ${workers}`
  return `, over ${store}${processes}${isBundle ? ', as installed' : ''}`
}

/** Settings of a gateway that only one run needs. */
export type Env = Readonly<Record<string, string>>

export async function runGateway(
  setup: GatewaySetup,
  { upstreams, directory, profileDirectory, userKeys = [] }: TargetInput,
  env: Env = {},
): Promise<RunningGateway> {
  const database = await createGatewayDatabase(setup.store, directory)
  const running: StartedGateway[] = []
  try {
    const secrets = { SESSION_SECRET: newSecret(), CRYPTO_SECRET: newSecret() }
    const { isBundle, root } = setup
    const common = {
      directory,
      isBundle,
      ...(root !== undefined && { root }),
      env: { ...secrets, ...database.env, ...env },
    }
    const key = await prepare({ ...common, upstreams })
    await addUsers(database, userKeys)
    const node = { ...common, profileDirectory, env: { ...common.env, WORKERS: String(setup.workers) } }
    // One after the other, so that no two of them change tables.
    for (let count = 0; count < setup.nodes; count++) running.push(await startGateway(node))
    return runningGateway(database, { running, key })
  } catch (error) {
    await endAll(running)
    await database.drop()
    const output = running.map(({ started }) => started.output()).join('\n')
    throw new Error(`the gateway could not be set up:\n${output}`, { cause: error })
  }
}

/** Creates channels and a token with a gateway that ends afterwards. Returns the token's key. */
async function prepare({
  upstreams,
  ...input
}: GatewayInput & Pick<TargetInput, 'upstreams'>): Promise<string> {
  const { origin, started } = await startGateway(input)
  try {
    return await seedGateway(origin, upstreams)
  } finally {
    await started.stop()
  }
}

async function addUsers(database: GatewayDatabase, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return
  const store = await database.open()
  try {
    await seedUsers(store, keys)
  } finally {
    await store.close()
  }
}

function runningGateway(
  database: GatewayDatabase,
  { running, key }: { running: readonly StartedGateway[]; key: string },
): RunningGateway {
  const part = (nodes: readonly StartedGateway[]): RunningTarget => ({
    output: () => nodes.map(({ started }) => started.output()).join('\n'),
    ended: () => nodes.map(({ started }) => started.ended()).find((end) => end !== undefined),
    stop: async () => undefined,
    processIds: () => nodes.map(({ started }) => started.pid),
    addresses: (kind) =>
      nodes.map(({ origin }) => ({
        url: `${origin}${paths[kind]}`,
        headers: { authorization: `Bearer ${key}` },
      })),
  })
  const end = () => endAll(running)
  return {
    ...part(running),
    oneNode: running.length > 1 ? part(running.slice(0, 1)) : undefined,
    database,
    end,
    stop: async () => {
      await end()
      await database.drop()
    },
  }
}

async function endAll(running: readonly StartedGateway[]): Promise<void> {
  await Promise.all(running.map(({ started }) => started.stop()))
}

function newSecret(): string {
  return randomBytes(24).toString('hex')
}
