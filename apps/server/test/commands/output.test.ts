import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const COMMAND = join(import.meta.dirname, '../../src/commands/command.ts')
const LENGTH = 1_000_000

it('a command ends after its last word was taken, however late somebody reads', async () => {
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
