import type { ImportLoss } from '@tollgate/importer/find-losses'

/** What is lost and ends, limits, prices, protects or pays: one line each, with rows and consequence. */
export function printLossLines(losses: readonly ImportLoss[]): readonly string[] {
  return losses
    .filter(({ weight }) => weight !== undefined)
    .toSorted((left, right) => findPlace(left) - findPlace(right))
    .map((loss) => `- ${describeRows(loss)}: ${loss.consequence}`)
}

const ORDER = ['ends', 'protects', 'limits', 'prices', 'pays']

function findPlace({ weight }: ImportLoss): number {
  return ORDER.indexOf(weight ?? '')
}

function describeRows({ table, name, rows, people }: ImportLoss): string {
  if (table === OPTIONS) return `the setting ${name}`
  const whose = people === undefined ? '' : ` of ${count(people, 'person', 'people')}`
  return `${name === '' ? table : `${table}.${name}`}, ${count(rows, 'row')}${whose}`
}

/** Settings are rows of this table, named one by one. */
const OPTIONS = 'options'

/** Everything else that is lost: one line for each table. */
export function printRestLines(losses: readonly ImportLoss[]): readonly string[] {
  const rest = losses.filter(({ weight }) => weight === undefined)
  if (rest.length === 0) return []
  const tables = [...Map.groupBy(rest, ({ table }) => table)]
  return ['', 'Not kept, and without effect on money or access:', ...tables.map(tableLine)]
}

function tableLine([table, losses]: readonly [string, readonly ImportLoss[]]): string {
  const [first] = losses
  if (losses.length === 1 && first?.name === '') return `  ${table}: ${count(first.rows, 'row')}`
  const names = losses.map(({ name, rows }) => (table === OPTIONS ? name : `${name} (${count(rows, 'row')})`))
  return `  ${table}: ${names.join(', ')}`
}

function count(value: number, one: string, several = `${one}s`): string {
  return `${value.toLocaleString('en')} ${value === 1 ? one : several}`
}
