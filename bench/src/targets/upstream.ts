import { paths } from '../workload.ts'
import type { Target } from './target.ts'

/** The upstream without a gateway in between: the maximum that load tool and upstream can reach together. */
export const upstreamTarget: Target = {
  name: 'upstream',
  about: 'no relay: the limit of load tool and upstream',
  start: async ({ upstreams }) => ({
    processIds: (kind) => [upstreams[kind].process.pid],
    addresses: (kind) => [{ url: `${upstreams[kind].origin}${paths[kind]}`, headers: {} }],
    output: () => '',
    ended: () =>
      Object.values(upstreams)
        .map((upstream) => upstream.process.ended())
        .find((end) => end !== undefined),
    stop: async () => undefined,
  }),
}
