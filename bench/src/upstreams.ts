import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { freePort, start, type Started } from './processes.ts'
import { wholeAnswer, type Kind } from './workload.ts'

export interface Upstream {
  readonly origin: string
  /** Further addresses of the same server, each for a channel of its own. */
  readonly moreOrigins?: readonly string[]
  readonly server: 'nginx' | 'node'
  readonly process: Started
}

const RAW_UPSTREAM = join(import.meta.dirname, 'raw-upstream.ts')

export type Upstreams = Readonly<Record<Kind, Upstream>>

/** nginx serves non-streamed responses if it is installed; streams always come from a small Node server. */
export async function startUpstreams(directory: string, frames: number): Promise<Upstreams> {
  const hasNginx = spawnSync('nginx', ['-v']).status === 0
  const started: Upstream[] = []
  const begin = async (upstream: Promise<Upstream>) => {
    started.push(await upstream)
    return upstream
  }
  try {
    return {
      whole: await begin(hasNginx ? startNginx(directory) : startNode('whole', frames)),
      stream: await begin(startNode('stream', frames)),
      responses: await begin(startNode('responses', frames)),
      generate: await begin(startNode('generate', frames)),
    }
  } catch (error) {
    await Promise.all(started.map((upstream) => upstream.process.stop()))
    throw error
  }
}

export async function stopUpstreams(upstreams: Upstreams): Promise<void> {
  await Promise.all(Object.values(upstreams).map((upstream) => upstream.process.stop()))
}

/** A server whose streams never end, at several addresses: a relay opens a limited number of connections to each. */
export async function startOpenStreams(addresses: number): Promise<Upstream> {
  const ports = await Promise.all(Array.from({ length: addresses }, freePort))
  const command = [process.execPath, RAW_UPSTREAM, 'stream', ports.join(), '40', 'open']
  const [origin = '', ...moreOrigins] = ports.map((port) => `http://127.0.0.1:${port}`)
  const started = await start({ place: 'load', command, port: ports.at(-1) ?? 0 })
  return { origin, moreOrigins, server: 'node', process: started }
}

async function startNode(kind: Kind, frames: number): Promise<Upstream> {
  const port = await freePort()
  const command = [process.execPath, RAW_UPSTREAM, kind, String(port), String(frames)]
  return {
    origin: `http://127.0.0.1:${port}`,
    server: 'node',
    process: await start({ place: 'load', command, port }),
  }
}

async function startNginx(directory: string): Promise<Upstream> {
  const port = await freePort()
  const home = join(directory, 'nginx')
  mkdirSync(home, { recursive: true })
  const file = join(home, 'nginx.conf')
  writeFileSync(file, nginxConfiguration(home, port))
  const command = ['nginx', '-p', home, '-c', file, '-e', join(home, 'error.log')]
  return {
    origin: `http://127.0.0.1:${port}`,
    server: 'nginx',
    process: await start({ place: 'load', command, port }),
  }
}

/** A single process in the foreground that reads the request and answers from memory. */
function nginxConfiguration(home: string, port: number): string {
  return `
daemon off;
master_process off;
pid ${home}/nginx.pid;
error_log ${home}/error.log error;
events { worker_connections 4096; }
http {
  access_log off;
  client_body_temp_path ${home}/body;
  proxy_temp_path ${home}/proxy;
  fastcgi_temp_path ${home}/fastcgi;
  uwsgi_temp_path ${home}/uwsgi;
  scgi_temp_path ${home}/scgi;
  keepalive_requests 100000000;
  keepalive_timeout 600s;
  server {
    listen 127.0.0.1:${port} backlog=4096;
    location / {
      default_type application/json;
      return 200 '${wholeAnswer}';
    }
  }
}
`
}
