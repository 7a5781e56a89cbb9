import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const COMMAND = join(import.meta.dirname, '../../src/commands/run-command.ts')
const LENGTH = 1_000_000

it('a command ends only after all its output was read, however slow the reader', async () => {
  const program = `
    const { runCommand } = await import(${JSON.stringify(COMMAND)})
    await runCommand(async () => (process.stdout.write('x'.repeat(${LENGTH})), 3))
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'readable')
  let length = 0
  for await (const chunk of child.stdout) length += Buffer.byteLength(chunk)
  if (child.exitCode === null) await once(child, 'exit')
  expect({ length, code: child.exitCode }).toEqual({ length: LENGTH, code: 3 })
})

it.skipIf(process.platform !== 'linux')(
  'a command whose output cannot be written says so in one line',
  async () => {
    const program = `
    const { runCommand } = await import(${JSON.stringify(COMMAND)})
    await runCommand(async () => (console.log('a word'), console.log('another'), 0))
  `
    const full = openSync('/dev/full', 'w')
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', full, 'pipe'],
    })
    let errors = ''
    child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()))
    await once(child, 'close')
    closeSync(full)
    expect({ errors, code: child.exitCode }).toEqual({
      errors: 'The output cannot be written: ENOSPC: no space left on device, write.\n',
      code: 1,
    })
  },
)
