import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT } from './here.ts'

/** Starts the reverse proxies with the files of `deploy/`, with other ports and without certificates. */

export interface ReverseProxy {
  readonly name: string
  readonly address: string
  stop(): Promise<void>
}

interface Setup {
  readonly folder: string
  readonly port: number
  readonly nodes: readonly number[]
}

interface Launch {
  readonly file: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

export const proxies: Readonly<Record<'caddy' | 'nginx' | 'haproxy', (setup: Setup) => Launch>> = {
  caddy: ({ folder, port, nodes }) => ({
    file: 'caddy',
    args: ['run', '--config', join(ROOT, 'deploy/Caddyfile'), '--adapter', 'caddyfile'],
    env: {
      SITE_ADDRESS: `http://127.0.0.1:${port}`,
      TOLLGATE_NODES: nodes.map((node) => `127.0.0.1:${node}`).join(' '),
      CADDY_ADMIN: 'off',
      XDG_DATA_HOME: folder,
      XDG_CONFIG_HOME: folder,
      HOME: folder,
    },
  }),
  nginx: ({ folder, port, nodes }) => {
    const site = replaced('nginx.conf', [
      [/listen 443 ssl http2;/, `listen 127.0.0.1:${port};`],
      [/ +ssl_certificate.*\n/g, ''],
      [/server 127\.0\.0\.1:3000 (.*);/, nodes.map((node) => `server 127.0.0.1:${node} $1;`).join('\n')],
    ])
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    const paths = temporary.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join('\n')
    const main = `pid ${folder}/nginx.pid;\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${paths}\n${site}\n}\n`
    writeFileSync(join(folder, 'main.conf'), main)
    return { file: 'nginx', args: ['-p', folder, '-c', join(folder, 'main.conf'), '-g', 'daemon off;'] }
  },
  haproxy: ({ folder, port, nodes }) => {
    const servers = nodes.map((node, index) => `server gateway-${index + 1} 127.0.0.1:${node}`).join('\n    ')
    const text = replaced('haproxy.cfg', [
      [/bind :443 .*/, `bind 127.0.0.1:${port}`],
      [/server gateway-1 127\.0\.0\.1:3000/, servers],
    ])
    writeFileSync(join(folder, 'haproxy.cfg'), text)
    return { file: 'haproxy', args: ['-db', '-f', join(folder, 'haproxy.cfg')] }
  },
}

/** Throws when a pattern is not in the file, because then the test would not try what is shipped. */
function replaced(name: string, changes: readonly (readonly [RegExp, string])[]): string {
  let text = readFileSync(join(ROOT, 'deploy', name), 'utf8')
  for (const [pattern, by] of changes) {
    if (text.search(pattern) < 0) throw new Error(`deploy/${name} has no ${String(pattern)}`)
    text = text.replace(pattern, by)
  }
  return text
}

/** Resolves once the proxy passes a request on. */
export async function startProxy(
  name: keyof typeof proxies,
  { folder, nodes }: { readonly folder: string; readonly nodes: readonly number[] },
): Promise<ReverseProxy> {
  const own = join(folder, name)
  mkdirSync(own)
  const port = await freePort()
  const { file, args, env } = proxies[name]({ folder: own, port, nodes })
  const child = spawn(file, [...args], { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const ended = once(child, 'exit')
  const address = `http://127.0.0.1:${port}`
  while (!(await passesOn(address))) {
    if (isOver(child)) throw new Error(`${name} ended: ${printed}`)
    await sleep(50)
  }
  return {
    name,
    address,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function passesOn(address: string): Promise<boolean> {
  return fetch(`${address}/livez`).then(
    (answer) => answer.ok,
    () => false,
  )
}

function isOver({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
