import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programArgs } from '@tollgate/testkit/program'
import type { Gateway } from './gateway.ts'

const READY_LINE = /Tollgate is ready at (http:\/\/\S+)/
const READY_LIMIT_MS = 30_000

/**
 * Starts the program as it ships, as a process of its own on a free port, with a data directory that is removed
 * at its end.
 */
export async function startGatewayProcess(): Promise<Gateway> {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-e2e-'))
  const port = await freePort()
  const child = spawn(process.execPath, programArgs('start'), {
    cwd: directory,
    env: {
      PATH: process.env['PATH'] ?? '',
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      PORT: String(port),
      HOST: '127.0.0.1',
      SQLITE_PATH: join(directory, 'tollgate.db'),
      EGRESS_ALLOW: '127.0.0.0/8',
      // All visitors of the tests share one address, so rate limits would refuse them.
      GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
      GLOBAL_WEB_RATE_LIMIT_ENABLE: 'false',
      CRITICAL_RATE_LIMIT: '1000',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const exited = new Promise((resolve) => child.once('exit', resolve))

  const url = await waitForReady(child, () => printed)
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await exited
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

async function waitForReady(child: ChildProcess, printed: () => string): Promise<string> {
  const deadline = Date.now() + READY_LIMIT_MS
  while (Date.now() < deadline) {
    const url = READY_LINE.exec(printed())?.[1]
    if (url) return url
    if (child.exitCode !== null) break
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  child.kill('SIGKILL')
  throw new Error(`the server did not become ready; it printed:\n${printed()}`)
}

/** Returns a port that was free a moment ago. */
async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  await new Promise((resolve) => probe.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
