import { readFileSync, statSync } from 'node:fs'
import process from 'node:process'
import type { Environment } from './environment.ts'
import type { Setting } from './kinds.ts'

export const FILE_SUFFIX = '_FILE'

const BYTES_MAX = 64 * 1024
/** The bits of a mode that let every user of the machine read. */
const OTHERS_READ = 0o004

/** The environment with what files say, and a line for each file that cannot be used. */
export interface FiledEnvironment {
  readonly environment: Environment
  readonly lines: readonly string[]
}

/**
 * Reads secrets from files, as containers get them: `SESSION_SECRET_FILE=/run/secrets/session` is the same as
 * `SESSION_SECRET` with the content of that file. The line ending of the file does not belong to the secret.
 */
export function readSecretFiles(
  environment: Environment,
  settings: readonly Pick<Setting, 'name' | 'isSecret'>[],
): FiledEnvironment {
  const values: Record<string, string> = {}
  const lines: string[] = []
  for (const { name } of settings.filter(({ isSecret }) => isSecret)) {
    const path = environment[name + FILE_SUFFIX]?.trim() ?? ''
    if (path === '') continue
    if ((environment[name]?.trim() ?? '') !== '') {
      lines.push(`${name} and ${name}${FILE_SUFFIX}: give one of them`)
      continue
    }
    try {
      values[name] = readSecretFile(path)
    } catch (error) {
      lines.push(
        `${name}${FILE_SUFFIX}=${path}: ${error instanceof Error ? reasonFor(error) : String(error)}`,
      )
    }
  }
  return { environment: { ...environment, ...values }, lines }
}

function readSecretFile(path: string): string {
  const { mode, size } = statSync(path)
  if (process.platform !== 'win32' && (mode & OTHERS_READ) !== 0)
    throw new Error(
      'other users of this machine may read it: run chmod 600 on it, or mount it with mode 0400',
    )
  if (size > BYTES_MAX) throw new Error('it is too long for a secret')
  const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  if (text.trim() === '') throw new Error('it is empty')
  return text
}

function reasonFor(error: Error): string {
  return 'code' in error ? `it cannot be read (${String(error.code)})` : error.message
}
