import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { findProgram } from '../../../../scripts/servers/packages.mjs'
import { freePort } from '../deploy/proxies.ts'

/** Debian's PgBouncer in front of a database. */
export interface PgBouncer {
  /** The same database through the pooler. */
  readonly dsn: string
  stop(): Promise<void>
}

export type PoolMode = 'transaction' | 'session'

export const findPgBouncer = (): string | undefined => findProgram('pgbouncer')

export async function startPgBouncer(dsn: string, mode: PoolMode): Promise<PgBouncer> {
  const program = findPgBouncer() ?? 'pgbouncer'
  const { hostname, port: serverPort, username, password, pathname } = new URL(dsn)
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-pgbouncer-'))
  const port = await freePort()
  const user = decodeURIComponent(username)
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(join(folder, 'users.txt'), `"${user}" "${decodeURIComponent(password)}"\n`)
  writeFileSync(
    file,
    [
      '[databases]',
      `* = host=${hostname} port=${serverPort || 5432} user=${user}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      `auth_file = ${join(folder, 'users.txt')}`,
      `pool_mode = ${mode}`,
      'default_pool_size = 10',
      'max_client_conn = 200',
      'ignore_startup_parameters = extra_float_digits',
      '',
    ].join('\n'),
  )
  const account = findAccount()
  chmodSync(folder, 0o755)
  if (account)
    for (const path of [folder, file, join(folder, 'users.txt')]) chownSync(path, account.uid, account.gid)
  const child = spawn(program, [file], { ...account, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  const ended = once(child, 'exit')
  while (!/listening on/.test(printed)) {
    if (child.exitCode !== null) throw new Error(printed)
    await sleep(20)
  }
  return {
    dsn: `postgres://${username}${password === '' ? '' : `:${password}`}@127.0.0.1:${port}${pathname}`,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** It refuses root. */
function findAccount(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/etc/passwd')) return undefined
  const row = /^(?:postgres|nobody):[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))
  return row === null ? undefined : { uid: Number(row[1]), gid: Number(row[2]) }
}
