import { join } from 'node:path'
import process from 'node:process'
import { freePort, start, type Started } from '../processes.ts'
import { profiling } from '../profile/profiling.ts'

const root = join(import.meta.dirname, '..', '..', '..')

export interface GatewayInput {
  readonly directory: string
  readonly profileDirectory?: string
}

/** The real gateway process with its own database below `directory`. */
export async function startGateway({
  directory,
  profileDirectory,
}: GatewayInput): Promise<{ origin: string; started: Started }> {
  const port = await freePort()
  const { nodeOptions, env } = profiling(profileDirectory)
  const started = await start({
    place: 'target',
    command: [process.execPath, ...nodeOptions, join(root, 'apps', 'server', 'src', 'main.ts')],
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
    },
    port,
  })
  return { origin: `http://127.0.0.1:${port}`, started }
}
