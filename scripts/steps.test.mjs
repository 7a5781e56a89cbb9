import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { isRunning, readStartTime } from './servers/processes.mjs'

/** A script with a step that has started a process of its own, whose number it prints. */
const SCRIPT = `
  const { runStep } = await import(process.argv[1])
  await runStep({ name: 'step', args: ['-e', process.argv[2]] })
`
const STEP = `
  process.on('SIGTERM', () => process.exit())
  const { spawn } = require('node:child_process')
  const helper = spawn('sh', ['-c', 'trap "" TERM; echo $$; while :; do sleep 1; done'], { stdio: 'inherit' })
  setInterval(() => undefined, 1000)
`

it.skipIf(process.platform !== 'linux').each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
])('a script that is ended by %s ends its steps with everything they have started', async (signal, code) => {
  const module = pathToFileURL(join(import.meta.dirname, 'steps.mjs')).href
  const script = spawn(process.execPath, ['--input-type=module', '--eval', SCRIPT, module, STEP], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(script.stdout, 'data')
  const helper = { pid: Number(line), started: readStartTime(Number(line)) }
  expect(isRunning(helper)).toBe(true)
  const ended = once(script, 'exit')
  script.kill(signal)
  expect(await ended).toEqual([code, null])
  await expect.poll(() => isRunning(helper)).toBe(false)
})
