// `npm start`: installs the dependencies needed for serving, builds the console and starts the server. Runs
// on Node 20 or newer.
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

// The server drains its streams itself; this process forwards signals and ends with the server's exit code.
// In a terminal Ctrl-C reaches both processes, so it is not forwarded there: a second signal would make the
// server stop without waiting for open streams.
process.on('SIGINT', () => {
  if (!process.stdin.isTTY) stop('SIGINT')
})
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => stop(signal))
server.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))

// npm passes a signal to its shell, which dies without notifying this process; without this check the server
// would never be stopped.
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
