import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Measures } from '../installed-program.ts'

/** How long a gateway idles before its memory is read. */
export const IDLE_MS = 15_000

/** Prints the row of a wrapper as docs/reference/performance.md has it. */
export function printMeasures(name: string, { readyMs, idleMiB }: Measures, bytes: number): void {
  const row = [
    name,
    `${(bytes / 1_000_000).toFixed(1)} MB`,
    `${(readyMs / 1000).toFixed(2)} s`,
    `${(idleMiB ?? Number.NaN).toFixed(0)} MiB`,
  ]
  process.stdout.write(`\n| ${row.join(' | ')} |\n`)
}

export function bytesOf(path: string): number {
  if (!statSync(path).isDirectory()) return statSync(path).size
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
