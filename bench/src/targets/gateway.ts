import { join } from 'node:path'
import process from 'node:process'
import { freePort, start } from '../processes.ts'
import { seedGateway } from './seed-gateway.ts'
import type { Target } from './target.ts'

const root = join(import.meta.dirname, '..', '..', '..')

/** The real process with a database of its own: authentication, routing, hold, settlement and log row are all on. */
export const gatewayTarget: Target = {
  name: 'gateway',
  about: 'Tollgate with authentication, routing, hold, settlement and log row',
  start: async ({ upstreams, directory }) => {
    const port = await freePort()
    const started = await start({
      place: 'target',
      command: [process.execPath, join(root, 'apps', 'server', 'src', 'main.ts')],
      env: {
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
        PORT: String(port),
        SQLITE_PATH: join(directory, 'tollgate.db'),
        EGRESS_ALLOW: '127.0.0.0/8',
        GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
        LOG_LEVEL: 'warn',
        LOG_FORMAT: 'json',
      },
      port,
    })
    try {
      const key = await seedGateway(`http://127.0.0.1:${port}`, upstreams)
      return {
        output: () => started.output(),
        ended: () => started.ended(),
        stop: () => started.stop(),
        processId: () => started.pid,
        address: () => ({
          url: `http://127.0.0.1:${port}/v1/chat/completions`,
          headers: { authorization: `Bearer ${key}` },
        }),
      }
    } catch (error) {
      await started.stop()
      throw new Error(`the gateway could not be set up:\n${started.output()}`, { cause: error })
    }
  },
}
