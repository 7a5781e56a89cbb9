import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, delimiter, dirname, join } from 'node:path'
import process from 'node:process'
import { promisify } from 'node:util'
import type { AgentProgram } from './agent-program.ts'

const run = promisify(execFile)
const INSTALL_MS = 300_000

export interface InstalledProgram {
  readonly path: string
  readonly version: string
}

/**
 * Environment of child processes: none of this process's variables, only the path to Node and the system's
 * programs.
 */
export function bareEnvironment(home: string): Record<string, string> {
  return {
    PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
    HOME: home,
    USERPROFILE: home,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    NO_COLOR: '1',
    CI: '1',
  }
}

/**
 * Installs the newest version from npm into a folder of its own, unless one is there.
 * @throws Error when npm cannot install it
 */
export async function install(program: AgentProgram, cache: string): Promise<InstalledProgram> {
  const folder = join(cache, basename(program.package))
  const packageFolder = join(folder, 'node_modules', program.package)
  const ready = join(folder, 'ready')
  if (!existsSync(ready)) {
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'package.json'), '{"private":true}')
    const options = {
      cwd: folder,
      timeout: INSTALL_MS,
      env: { ...process.env, PATH: bareEnvironment('').PATH },
    }
    const args = [
      'install',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      '--loglevel=error',
      program.package,
    ]
    await run('npm', args, { ...options, shell: process.platform === 'win32' })
    if (program.setup !== undefined)
      await run(process.execPath, [join(packageFolder, program.setup)], { ...options, cwd: packageFolder })
    await writeFile(ready, '')
  }
  const { version }: { version: string } = JSON.parse(
    await readFile(join(packageFolder, 'package.json'), 'utf8'),
  )
  return { version, path: join(folder, 'node_modules', '.bin', program.command) }
}
