import { markdown } from '../report.ts'
import type { TargetResult } from './aims.ts'
import type { LoadFigures } from './load.ts'
import type { StoreFigures } from './measure-store.ts'

/** Markdown, readable in a terminal and stored in docs/reference/performance.md. */
export function figureTable(measured: readonly { name: string; figures: StoreFigures }[]): string {
  const head = ['store', 'load', 'pairs/s', 'median ms', 'p99 ms', 'pairs']
  return markdown(
    head,
    measured.flatMap(({ name, figures }) => [
      line(name, 'many users', figures.manyUsers),
      line(name, 'one hot user', figures.hotUser),
      line(name, '500 calls/s', figures.paced),
      ...(figures.twoNodes ? [line(name, 'many users, two nodes', figures.twoNodes)] : []),
    ]),
  )
}

function line(store: string, load: string, figures: LoadFigures): readonly string[] {
  const { pairsPerSecond, medianMs, p99Ms, pairs } = figures
  return [store, load, pairsPerSecond.toFixed(0), medianMs.toFixed(2), p99Ms.toFixed(2), String(pairs)]
}

export function aimTable(judgements: readonly TargetResult[]): string {
  const head = ['store', 'aim', 'measured', '']
  return markdown(
    head,
    judgements.map(({ store, aim, measured, isMet }) => [store, aim, measured, isMet ? 'met' : 'MISSED']),
  )
}
