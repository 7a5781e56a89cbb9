import { type Bench, serves } from './bench.ts'
import { type Case, type LoadFigures, measure, medianOf } from './measure.ts'
import type { Row } from './report.ts'
import { say } from './say.ts'

/** Targets alternate within each case, so that other activity on the machine affects all of them equally. */
export async function compare({ options, load, directory, targets, keyMix }: Bench): Promise<Row[]> {
  const rounds = new Map<string, LoadFigures[]>()
  const cases = options.kinds.flatMap((kind) =>
    options.connections.map((connections): Case => ({ kind, connections })),
  )
  for (let round = 1; round <= options.rounds; round++) {
    for (const { kind, connections } of cases) {
      for (const [name, target] of targets) {
        if (!serves(options, name, kind)) continue
        const { seconds } = options
        const figures = await measure({ target, load, kind, connections, seconds, directory, keyMix })
        const key = `${kind} ${connections} ${name}`
        rounds.set(key, [...(rounds.get(key) ?? []), figures])
        say(`round ${round}: ${key}: ${figures.requestsPerSecond.toFixed(0)} requests/s`)
      }
    }
  }
  return cases.flatMap(({ kind, connections }) =>
    [...targets.keys()]
      .filter((target) => serves(options, target, kind))
      .map((target) => {
        const figures = medianOf(rounds.get(`${kind} ${connections} ${target}`) ?? [])
        return { kind, connections, target, figures }
      }),
  )
}
