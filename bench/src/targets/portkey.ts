import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { freePort, start } from '../processes.ts'
import type { Target } from './target.ts'

const { resolve } = createRequire(import.meta.url)

/** Portkey has no ledger: it does no authentication of callers, no quota and no log rows here. */
export const portkeyTarget: Target = {
  name: 'portkey',
  kinds: ['whole', 'stream'],
  about: '@portkey-ai/gateway as published, default settings, streams mended (portkey-shim.ts)',
  start: async ({ upstreams }) => {
    const port = await freePort()
    const file = join(dirname(resolve('@portkey-ai/gateway/package.json')), 'build', 'start-server.js')
    const shim = pathToFileURL(join(import.meta.dirname, 'portkey-shim.ts')).href
    const started = await start({
      place: 'target',
      command: [process.execPath, '--import', shim, file, `--port=${port}`, '--headless'],
      env: { NODE_ENV: 'production', TRUSTED_CUSTOM_HOSTS: '127.0.0.1' },
      port,
    })
    return {
      output: () => started.output(),
      ended: () => started.ended(),
      stop: () => started.stop(),
      processIds: () => [started.pid],
      addresses: (kind) => [
        {
          url: `http://127.0.0.1:${port}/v1/chat/completions`,
          headers: {
            authorization: 'Bearer sk-bench',
            'x-portkey-provider': 'openai',
            'x-portkey-custom-host': `${upstreams[kind].origin}/v1`,
          },
        },
      ],
    }
  },
}
