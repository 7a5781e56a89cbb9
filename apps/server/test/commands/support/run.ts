import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Store, openStore } from '@tollgate/store/database/open-store'
import { programArgs } from '@tollgate/testkit/program'
import { silentProgress } from '../../../src/commands/progress.ts'
import { type ImportRequest, type ImportResult, runImport } from '../../../src/commands/import/run-import.ts'
import type { verbs } from '../../../src/commands/verbs.ts'
import { readConfig } from '../../../src/config/index.ts'

export const SECRETS = {
  SESSION_SECRET: 'session secret of the tests',
  CRYPTO_SECRET: 'crypto secret of the tests',
}

/** A folder for a Tollgate database, empty at first. */
export interface TargetFolder {
  readonly folder: string
  readonly sqlitePath: string
  import(from: string, wish?: ImportWish): Promise<ImportResult>
  /** Opens the Tollgate database as the gateway would. */
  open<T>(look: (store: Store) => Promise<T>): Promise<T>
  drop(): void
}

export type ImportWish = Partial<
  Pick<ImportRequest, 'withLogs' | 'creditsPlans' | 'config' | 'isDryRun' | 'logsFrom' | 'progress'>
>

export const silent = silentProgress

export const cipherKey = (): Buffer => readConfig({ ...SECRETS, SQLITE_PATH: ':memory:' }).keys.cipher

export function makeTarget(): TargetFolder {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-target-'))
  const sqlitePath = join(folder, 'tollgate.db')
  return {
    folder,
    sqlitePath,
    import: (from, { withLogs = false, isDryRun = false, progress = silent, ...wish } = {}) =>
      runImport({
        from,
        withLogs,
        isDryRun,
        progress,
        place: { sqlDsn: '', sqlitePath, cipherKey, inline: {} },
        ...wish,
      }),
    open: async (look) => {
      const store = await openStore({ sqlitePath, inline: {} })
      try {
        return await look(store)
      } finally {
        await store.close()
      }
    },
    drop: () => rmSync(folder, { recursive: true }),
  }
}

export interface Ended {
  readonly code: number | null
  readonly output: string
  readonly errors: string
}

type CommandName = keyof typeof verbs

export interface CommandRun {
  readonly args?: readonly string[]
  readonly folder: string
  readonly environment?: Readonly<Record<string, string>>
  /** Standard input. */
  readonly input?: string
}

/** Runs a command as an operator does, in a folder of its own. */
export function spawnCommand(command: CommandName, { args = [], folder, environment = {} }: CommandRun) {
  return spawn(process.execPath, programArgs(command, ...args), {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      SQLITE_PATH: join(folder, 'tollgate.db'),
      ...SECRETS,
      ...environment,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

export async function runInProcess(command: CommandName, run: CommandRun): Promise<Ended> {
  const child = spawnCommand(command, run)
  child.stdin.end(run.input ?? '')
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  await once(child, 'close')
  return { code: child.exitCode, output, errors }
}
