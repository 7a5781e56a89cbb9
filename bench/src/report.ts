import type { Case, LoadFigures } from './measure.ts'

export interface Row extends Case {
  readonly target: string
  readonly figures: LoadFigures
}

/** Markdown, readable in a terminal and stored in docs/reference/performance.md. */
export function tableOf(rows: readonly Row[]): string {
  const head = [
    'answer',
    'connections',
    'target',
    'requests/s',
    'median ms',
    'p99 ms',
    'CPU µs/request',
    'memory MiB',
    'failures',
  ]
  const lines = rows.map(({ kind, connections, target, figures }) => [
    kind,
    String(connections),
    target,
    figures.requestsPerSecond.toFixed(0),
    figures.medianMs.toFixed(2),
    figures.p99Ms.toFixed(2),
    figures.cpuMicrosPerRequest.toFixed(0),
    figures.residentMiB.toFixed(0),
    String(figures.failures),
  ])
  return markdown(head, lines)
}

/** Compares the gateway with the other targets in the same case; empty without a gateway. */
export function ratiosOf(rows: readonly Row[]): string {
  const lines = rows
    .filter(({ target }) => target === 'gateway')
    .map((gateway) => {
      const peer = (name: string) =>
        rows.find(
          ({ target, kind, connections }) =>
            target === name && kind === gateway.kind && connections === gateway.connections,
        )
      return [
        gateway.kind,
        String(gateway.connections),
        ...comparison(gateway.figures, peer('bare')?.figures, peer('portkey')?.figures),
      ]
    })
  if (lines.length === 0) return ''
  return markdown(
    ['answer', 'connections', 'of bare relay', 'added median ms', 'CPU of bare', 'times Portkey'],
    lines,
  )
}

function comparison(
  gateway: LoadFigures,
  bare: LoadFigures | undefined,
  portkey: LoadFigures | undefined,
): string[] {
  return [
    bare ? `${((100 * gateway.requestsPerSecond) / bare.requestsPerSecond).toFixed(0)} %` : '–',
    bare ? (gateway.medianMs - bare.medianMs).toFixed(2) : '–',
    bare ? `${(gateway.cpuMicrosPerRequest / bare.cpuMicrosPerRequest).toFixed(2)} x` : '–',
    portkey ? `${(gateway.requestsPerSecond / portkey.requestsPerSecond).toFixed(1)} x` : '–',
  ]
}

export function markdown(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const all = [head, head.map(() => '---'), ...lines]
  const widths = head.map((_, column) => Math.max(...all.map((line) => line[column]?.length ?? 0)))
  return all
    .map((line) => `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`)
    .join('\n')
}
