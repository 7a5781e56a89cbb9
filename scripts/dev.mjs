// `npm run dev`: the server restarts when its sources change, the console reloads in place.
//
//   -- --store postgres   a new database on a server, which ends with this command; or mysql, also for MariaDB
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { ensureInstalled, fail, nodePath, root } from './install.mjs'
import { openServers } from './servers/index.mjs'

const { store } = parseArgs({ options: { store: { type: 'string', default: 'sqlite' } } }).values
if (!['sqlite', 'postgres', 'mysql'].includes(store)) fail('--store is sqlite, postgres or mysql')

ensureInstalled('full')

const node = nodePath()
const env =
  store === 'sqlite' ? process.env : { ...createSecrets(), ...process.env, ...(await createDatabase()) }
const children = [
  spawn(node, ['--watch-path=apps/server/src', '--watch-path=packages', 'apps/server/src/main.ts'], {
    cwd: root,
    env,
    stdio: 'inherit',
  }),
  spawn(node, [join(root, 'node_modules', 'vite', 'bin', 'vite.js')], {
    cwd: join(root, 'apps', 'console'),
    stdio: 'inherit',
  }),
]

let isStopping = false
function stop() {
  if (isStopping) return
  isStopping = true
  for (const child of children) child.kill('SIGTERM')
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop)
for (const child of children) child.on('exit', stop)

/** The gateway keeps its own secrets beside a SQLite file only. A new database needs no old ones. */
function createSecrets() {
  return Object.fromEntries(
    ['SESSION_SECRET', 'CRYPTO_SECRET'].map((name) => [name, randomBytes(32).toString('hex')]),
  )
}

/** The database is dropped when both children have ended; a server that was started here ends right after. */
async function createDatabase() {
  const servers = await openServers([store], { endsOnSignals: false })
  for (const { reason } of servers.leftOut) fail(`There is no ${store} for --store: ${reason}`)
  const program = join(root, 'packages/testkit/src/new-database.ts')
  const run = (...args) => {
    const { status, stdout } = spawnSync(node, [program, store, ...args], {
      env: { ...process.env, ...servers.env },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    if (status !== 0) fail(`The database for --store ${store} could not be created or dropped.`)
    return stdout
  }
  const { name, dsn } = JSON.parse(run())
  process.stdout.write(`The gateway uses the new database ${name}, which is dropped at the end.\n`)
  // Before the server ends, which happens on the exit of this process too.
  process.prependListener('exit', () => run(name))
  return { SQL_DSN: dsn }
}
