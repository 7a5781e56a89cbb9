import { markdown } from '../report.ts'
import { type Aim, type AimFigures, type AimKey, aims, judge } from './aims.ts'

/** Every aim as a line, also those that this run did not measure. */
export function aimsTable(figures: AimFigures): string {
  const lines = aimKeys().map((key) => {
    const aim = aims[key]
    const measured = figures[key]
    const limit = `${aim.bound} ${shown(aim.limit, aim.unit)}`
    const value = measured === undefined ? '–' : shown(measured, aim.unit)
    return [aim.name, value, limit, judge(aim, measured)]
  })
  return markdown(['aim', 'measured', 'wanted', ''], lines)
}

export function aimKeys(): AimKey[] {
  // `Object.keys` forgets that these are all the keys.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return Object.keys(aims) as AimKey[]
}

const DECIMALS: Readonly<Record<Aim['unit'], number>> = { '%': 0, ms: 2, x: 2, '/s': 0, KB: 1, MiB: 0 }

function shown(value: number, unit: Aim['unit']): string {
  const digits = value.toFixed(DECIMALS[unit])
  return unit === '/s' ? `${digits}${unit}` : `${digits} ${unit}`
}
