// `npm run bench -- [name] [options]`: runs a benchmark. Figures are comparable only as ratios within one
// run.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import { ensureConsoleBuilt } from './console-build.mjs'
import { ensureInstalled, nodePath, root } from './install.mjs'
import { openServers } from './servers/index.mjs'
import { printLeftOut } from './servers/left-out.mjs'

ensureInstalled('full')
ensureConsoleBuilt()
const [name, ...rest] = process.argv.slice(2)
const named = {
  aims: 'aims.ts',
  audit: 'audit.ts',
  ledger: 'ledger.ts',
  lists: 'lists.ts',
  logs: 'logs.ts',
  members: 'members.ts',
  pairs: 'pairs.ts',
  start: 'start.ts',
  wrappers: 'wrappers.ts',
}[name]
const command = named ? [named, ...rest] : ['run.ts', ...process.argv.slice(2)]
const servers = await openServers(chooseServers(), { endsOnSignals: false })
const bench = spawn(nodePath(), [join(root, 'bench', command[0]), ...command.slice(1)], {
  cwd: root,
  env: { ...process.env, ...servers.env },
  stdio: 'inherit',
})
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => bench.kill(signal))
const [code] = await once(bench, 'exit')
await printLeftOut(servers)
process.exit(code ?? 1)

/** The servers that the benchmark can measure. */
function chooseServers() {
  if (['aims', 'audit', 'ledger', 'logs'].includes(name)) return ['postgres', 'mysql']
  const store = /--store[ =](\S+)/.exec(process.argv.join(' '))?.[1]
  return store === 'postgres' ? ['postgres'] : store === 'mariadb' ? ['mysql'] : []
}
