import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { freePort, start, type Started } from './processes.ts'
import { wholeAnswer, type Kind } from './workload.ts'

export interface Upstream {
  readonly origin: string
  readonly server: 'nginx' | 'node'
  readonly process: Started
}

export type Upstreams = Readonly<Record<Kind, Upstream>>

/** nginx answers whole requests when it is installed; streams come from a small Node server either way. */
export async function startUpstreams(directory: string): Promise<Upstreams> {
  const hasNginx = spawnSync('nginx', ['-v']).status === 0
  const stream = await startNode('stream')
  try {
    return { stream, whole: hasNginx ? await startNginx(directory) : await startNode('whole') }
  } catch (error) {
    await stream.process.stop()
    throw error
  }
}

export async function stopUpstreams(upstreams: Upstreams): Promise<void> {
  await Promise.all([upstreams.whole.process.stop(), upstreams.stream.process.stop()])
}

async function startNode(kind: Kind): Promise<Upstream> {
  const port = await freePort()
  const command = [process.execPath, join(import.meta.dirname, 'raw-upstream.ts'), kind, String(port)]
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

/** One process in the foreground that reads the request and answers from memory. */
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
