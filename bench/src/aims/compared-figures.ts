import type { LoadFigures } from '../measure.ts'
import type { BenchOptions } from '../options.ts'
import type { Row } from '../report.ts'
import { FRAMES } from '../workload.ts'
import type { AimFigures } from './aims.ts'

/** The circumstances of the comparison, which decide what aims it is about. */
export type Compared = Pick<BenchOptions, 'users' | 'nodes' | 'workers' | 'frames' | 'isBundle'>

/** The users of the aims about many users. */
const MANY_USERS = 10_000

/** The figures for aims that a comparison of targets measured. */
export function comparedFigures(
  rows: readonly Row[],
  { users, nodes, workers, frames, isBundle }: Compared,
): AimFigures {
  const find = (target: string, kind: string, connections: number): LoadFigures | undefined =>
    rows.find((row) => row.target === target && row.kind === kind && row.connections === connections)?.figures
  const share = (kind: string, connections: number) =>
    quotient(
      find('gateway', kind, connections),
      find('bare', kind, connections),
      (figures) => figures.requestsPerSecond,
    )
  if (workers > 1) return {}
  if (nodes === 2) {
    const cpu = quotient(find('one node', 'whole', 32), find('gateway', 'whole', 32), cpuOf)
    return present({ 'two-nodes': cpu && nodes * cpu })
  }
  if (users >= MANY_USERS)
    return present({ 'users-32': percent(share('whole', 32)), 'users-256': percent(share('whole', 256)) })
  if (users > 1 || nodes > 1) return {}
  const streamed = (value: number | undefined) => (frames === FRAMES ? percent(value) : undefined)
  const alone = { gateway: find('gateway', 'whole', 1), bare: find('bare', 'whole', 1) }
  return present({
    'whole-32': percent(share('whole', 32)),
    'whole-256': percent(share('whole', 256)),
    'whole-1-added': alone.gateway && alone.bare && alone.gateway.medianMs - alone.bare.medianMs,
    'stream-32': streamed(share('stream', 32)),
    'stream-256': streamed(share('stream', 256)),
    'cpu-32': quotient(find('gateway', 'whole', 32), find('bare', 'whole', 32), cpuOf),
    'busy-memory': isBundle ? find('gateway', 'whole', 256)?.residentMiB : undefined,
  })
}

function percent(value: number | undefined): number | undefined {
  return value && 100 * value
}

function cpuOf({ cpuMicrosPerRequest }: LoadFigures): number {
  return cpuMicrosPerRequest
}

function quotient(
  left: LoadFigures | undefined,
  right: LoadFigures | undefined,
  read: (figures: LoadFigures) => number,
): number | undefined {
  return left && right && read(left) / read(right)
}

function present(figures: AimFigures): AimFigures {
  return Object.fromEntries(Object.entries(figures).filter(([, value]) => Number.isFinite(value)))
}
