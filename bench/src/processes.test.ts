import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import { afterEach, expect, it } from 'vitest'

/** A benchmark that is stopped from outside. */

const PROCESSES = join(import.meta.dirname, 'processes.ts')
const SERVER = `require('node:net').createServer().listen(Number(process.argv[1]), '127.0.0.1')`
const BENCHMARK = `
  const { freePort, start } = await import(${JSON.stringify(PROCESSES)})
  const port = await freePort()
  const command = [process.execPath, '-e', ${JSON.stringify(SERVER)}, String(port)]
  const { pid } = await start({ place: 'load', command, port })
  console.log(pid)
  await new Promise((resolve) => setTimeout(resolve, 60_000))
`

let benchmark: ChildProcess | undefined
afterEach(() => void benchmark?.kill('SIGKILL'))

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('stops what it started at %s', async (signal) => {
  benchmark = spawn(process.execPath, ['--input-type=module', '-e', BENCHMARK], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(benchmark, 'exit')
  const [printed] = await once(benchmark.stdout ?? process.stdin, 'data')
  const pid = Number(String(printed))
  expect(isRunning(pid)).toBe(true)
  benchmark.kill(signal)
  expect(await exited).toEqual([null, signal])
  await expect.poll(() => isRunning(pid)).toBe(false)
})
