import { join } from 'node:path'
import process from 'node:process'
import { profiling } from '../profile/profiling.ts'
import { freePort, start, type Started } from '../processes.ts'

const root = join(import.meta.dirname, '..', '..', '..')

export interface GatewayInput {
  readonly directory: string
  readonly profileDirectory?: string
  /** The installed program instead of the sources. */
  readonly isBundle?: boolean
  /** The checkout from which it runs. Absent: this one. */
  readonly root?: string
  /** Instead of a SQLite file below `directory`, and other settings. */
  readonly env?: Readonly<Record<string, string>>
}

const SOURCES = 'apps/server/src/main.ts'
const BUNDLE = 'dist/bin/tollgate.mjs'

export interface StartedGateway {
  readonly origin: string
  readonly started: Started
}

/** The real gateway process with its own database. */
export async function startGateway(input: GatewayInput): Promise<StartedGateway> {
  const { directory, profileDirectory } = input
  const port = await freePort()
  const { nodeOptions, env } = profiling(profileDirectory)
  const started = await start({
    place: 'target',
    command: [process.execPath, ...nodeOptions, join(input.root ?? root, input.isBundle ? BUNDLE : SOURCES)],
    env: {
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
      PORT: String(port),
      SQLITE_PATH: join(directory, 'tollgate.db'),
      EGRESS_ALLOW: '127.0.0.0/8',
      GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
      LOG_LEVEL: 'warn',
      LOG_FORMAT: 'json',
      ...env,
      ...input.env,
    },
    port,
  })
  return { origin: `http://127.0.0.1:${port}`, started }
}
