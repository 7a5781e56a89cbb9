import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { say } from '../say.ts'
import type { AimFigures } from './aims.ts'
import { aimsTable } from './aims-table.ts'

/** Set by `aims.ts`: a file that collects the figures of several runs. */
export const FIGURES_VARIABLE = 'BENCH_FIGURES'

/** Prints every aim with the figures of this run, or adds them to those of the runs before. */
export function reportAims(figures: AimFigures): void {
  const file = process.env[FIGURES_VARIABLE]
  if (file === undefined) say(`\n${aimsTable(figures)}`)
  else writeFileSync(file, JSON.stringify({ ...readFigures(file), ...figures }))
}

export function readFigures(file: string): AimFigures {
  if (!existsSync(file)) return {}
  // `reportAims` wrote the file, so the cast is safe.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(readFileSync(file, 'utf8')) as AimFigures
}
