import { join } from 'node:path'

const SOURCE = join(import.meta.dirname, '../../../apps/server/src/program.ts')

/**
 * Arguments for Node that run the program `tollgate` in a process of its own. `TOLLGATE_PROGRAM` names the built
 * program; without it the sources run.
 */
export function programArgs(...args: readonly string[]): string[] {
  return [process.env['TOLLGATE_PROGRAM'] ?? SOURCE, ...args]
}
