import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { programArgs } from '@tollgate/testkit/program'

/** Runs a command of the program with arguments until it ends. */
export async function runCommandWith(
  folder: string,
  { args, environment }: { readonly args: readonly string[]; readonly environment: Record<string, string> },
): Promise<{ readonly code: number | null; readonly printed: string }> {
  const [verb = '', ...rest] = args
  const child = spawn(process.execPath, [...programArgs(verb), ...rest], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      SESSION_SECRET: 'session secret of the tests',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  await once(child, 'close')
  return { code: child.exitCode, printed }
}
