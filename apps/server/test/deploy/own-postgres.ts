import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { findVariant } from '../../../../scripts/servers/start.mjs'
import { freePort } from './proxies.ts'

/** A PostgreSQL of this test alone, which can be crashed and started again. */
export interface OwnPostgres {
  readonly dsn: string
  /** Ends it without a checkpoint, and starts it again after this time. */
  crash(awayMs: number): Promise<void>
  stop(): Promise<void>
}

export const hasPostgres = (): boolean => findVariant('postgres') !== undefined

export async function startPostgres(): Promise<OwnPostgres> {
  const { initdb = '', postgres = '' } = findVariant('postgres')?.paths ?? {}
  const account = findAccount()
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-postgres-'))
  const data = join(folder, 'data')
  mkdirSync(data)
  if (account) for (const path of [folder, data]) chownSync(path, account.uid, account.gid)
  chmodSync(data, 0o700)
  const options = { cwd: folder, ...account, env: { PATH: process.env['PATH'], LC_ALL: 'C' } }
  const made = spawnSync(initdb, ['-D', data, '--username=postgres', '--auth=trust', '--encoding=UTF8'], {
    ...options,
    encoding: 'utf8',
  })
  if (made.status !== 0) throw new Error(made.stderr)
  const port = await freePort()
  let child: ChildProcess
  async function start(): Promise<void> {
    let text = ''
    child = spawn(
      postgres,
      ['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
      { ...options, stdio: ['ignore', 'pipe', 'pipe'] },
    )
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (text += chunk.toString()))
    while (!text.includes('ready to accept connections')) {
      if (child.exitCode !== null) throw new Error(text)
      await sleep(50)
    }
  }
  async function end(): Promise<void> {
    const ended = once(child, 'exit')
    child.kill('SIGQUIT')
    await ended
  }
  await start()
  return {
    dsn: `postgres://postgres@127.0.0.1:${port}/postgres`,
    crash: async (awayMs) => {
      await end()
      await sleep(awayMs)
      await start()
    },
    stop: async () => {
      await end()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** PostgreSQL refuses root. */
function findAccount(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/etc/passwd')) return undefined
  const row = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))
  return row === null ? undefined : { uid: Number(row[1]), gid: Number(row[2]) }
}
