// `npm start`: install what running needs, build the console, serve. Runs on Node 20 or newer.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import process from 'node:process'
import { ensureConsoleBuilt } from './console-build.mjs'
import { compileCache, ensureInstalled, nodePath, root } from './install.mjs'

ensureInstalled('run')
ensureConsoleBuilt()

const server = spawn(nodePath(), [join(root, 'apps', 'server', 'src', 'main.ts'), ...process.argv.slice(2)], {
  cwd: root,
  env: { ...compileCache, ...process.env },
  stdio: 'inherit',
})

// The server drains by itself; this process hands signals on and leaves with the server's own exit code. A terminal
// sends Ctrl-C to both, and a second one would tell the server not to wait for open streams.
process.on('SIGINT', () => {
  if (!process.stdin.isTTY) stop('SIGINT')
})
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal))
server.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))

// npm hands a signal to its shell, which dies of it without telling us: then nobody would ever stop the server.
const parent = process.ppid
const watch = setInterval(() => {
  if (process.ppid !== parent) stop('SIGTERM')
}, 500)
if (process.env['npm_lifecycle_event'] === undefined) clearInterval(watch)

/** @param {NodeJS.Signals} signal */
function stop(signal) {
  clearInterval(watch)
  server.kill(signal)
}
