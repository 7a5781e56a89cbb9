import type { FamilyColumn, LossWeight } from './family/column.ts'
import { listFamilyColumns } from './family/columns.ts'
import { describeGuess, estimateWeight } from './family/estimate-weight.ts'
import { countMembers } from './count-members.ts'
import type { FilledColumn, Source } from './source.ts'

/** Values of the source that the import does not keep. */
export interface ImportLoss {
  readonly table: string
  /** A column, `column.member`, or a setting; empty for a whole table. */
  readonly name: string
  readonly rows: number
  /** People concerned, where rows belong to people. */
  readonly people?: number
  /** Undefined: it does not matter for money or access. */
  readonly weight: LossWeight | undefined
  readonly consequence: string
}

/**
 * Compares a table with the list of the family's columns: everything that holds something other than its
 * default and is not kept is a loss, also a column or a member that nobody has listed yet.
 */
export async function findLosses(source: Source, table: string): Promise<readonly ImportLoss[]> {
  const listed = listFamilyColumns(table)
  const unread = [...(source.tables.get(table) ?? [])].filter((column) => isLost(listed.get(column)))
  const facts = source.columnFacts(table)
  const columns = await source.countFilled(
    table,
    unread.map((name) => ({
      name,
      defaults: [facts.get(name)?.default ?? '', listed.get(name)?.default ?? ''],
    })),
  )
  const defaults = new Map([...listed.values()].map((column) => [column.column, column.default]))
  const members = await countMembers(source, { table, columns: jsonColumns(listed), defaults })
  return [
    ...[...columns].map(([name, filled]) => describeLoss({ table, name, filled, column: listed.get(name) })),
    ...[...members]
      .filter(([name]) => isLost(listed.get(name)))
      .map(([name, filled]) => describeLoss({ table, name, filled, column: listed.get(name) })),
  ].toSorted((left, right) => (left.name < right.name ? -1 : 1))
}

function isLost(column: FamilyColumn | undefined): boolean {
  return column === undefined || column.fate === 'lost'
}

/** The JSON columns whose members are listed one by one. All others are kept as they are, or lost as a whole. */
function jsonColumns(listed: ReadonlyMap<string, FamilyColumn>): readonly string[] {
  const names = [...listed.keys()]
    .filter((name) => name.includes('.'))
    .map((name) => name.split('.', 1)[0] ?? '')
  return [...new Set(names)]
}

function describeLoss({
  table,
  name,
  filled,
  column,
}: {
  table: string
  name: string
  filled: FilledColumn
  column: FamilyColumn | undefined
}): ImportLoss {
  const weight = column ? column.weight : estimateWeight(name, filled.sample)
  const consequence = column ? column.consequence : weight ? describeGuess(weight) : ''
  return { table, name, rows: filled.rows, weight, consequence }
}
