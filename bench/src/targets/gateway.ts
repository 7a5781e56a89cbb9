import { paths } from '../workload.ts'
import { seedGateway } from './seed-gateway.ts'
import { startGateway } from './start-gateway.ts'
import type { Target } from './target.ts'

/**
 * The real gateway process with its own database: authentication, routing, hold, settlement and log row are
 * all active.
 */
export const gatewayTarget: Target = {
  name: 'gateway',
  about: 'Tollgate with authentication, routing, hold, settlement and log row',
  start: async ({ upstreams, directory, profileDirectory }) => {
    const { origin, started } = await startGateway({ directory, profileDirectory })
    try {
      const key = await seedGateway(origin, upstreams)
      return {
        output: () => started.output(),
        ended: () => started.ended(),
        stop: () => started.stop(),
        processIds: () => [started.pid],
        address: (kind) => ({
          url: `${origin}${paths[kind]}`,
          headers: { authorization: `Bearer ${key}` },
        }),
      }
    } catch (error) {
      await started.stop()
      throw new Error(`the gateway could not be set up:\n${started.output()}`, { cause: error })
    }
  },
}
