import { join } from 'node:path'
import process from 'node:process'
import { freePort, start } from '../processes.ts'
import { profiling } from '../profile/profiling.ts'
import { paths } from '../workload.ts'
import type { Target } from './target.ts'

export const bareTarget: Target = {
  name: 'bare',
  about: 'node:http and an undici pool, nothing else',
  start: async ({ upstreams, profileDirectory }) => {
    const port = await freePort()
    const file = join(import.meta.dirname, '..', 'bare-relay.ts')
    const origins = Object.fromEntries(Object.entries(upstreams).map(([kind, { origin }]) => [kind, origin]))
    const { nodeOptions, env } = profiling(profileDirectory)
    const command = [process.execPath, ...nodeOptions, file, String(port), JSON.stringify(origins)]
    const started = await start({ place: 'target', command, env, port })
    return {
      output: () => started.output(),
      ended: () => started.ended(),
      stop: () => started.stop(),
      processIds: () => [started.pid],
      addresses: (kind) => [
        {
          url: `http://127.0.0.1:${port}${paths[kind]}`,
          headers: { authorization: 'Bearer sk-bench', 'x-bench-kind': kind },
        },
      ],
    }
  },
}
