import { whole } from './cell.ts'
import { describeGuess, estimateWeight } from './family/estimate-weight.ts'
import { type FamilyTable, findFamilyTable } from './family/tables.ts'
import { otherTables } from './shape.ts'
import type { Source } from './source.ts'
import type { ImportLoss } from './find-losses.ts'

/** Tables that the import does not read, with the people whose rows matter. */
export async function findTableLosses(source: Source): Promise<readonly ImportLoss[]> {
  const losses: ImportLoss[] = []
  for (const table of otherTables(source)) {
    const loss = await surveyTable(source, table)
    if (loss.rows > 0) losses.push(loss)
  }
  return losses
}

async function surveyTable(source: Source, table: string): Promise<ImportLoss> {
  const familyTable = findFamilyTable(table)
  if (familyTable === undefined) return guessTable(source, table)
  const { weight, consequence = '' } = familyTable
  if (weight === undefined) return { table, name: '', rows: await source.count(table), weight, consequence }
  const { rows, people } = await countPeople(source, familyTable)
  return { table, name: '', rows, ...(familyTable.isOfPeople && { people }), weight, consequence }
}

async function countPeople(
  source: Source,
  { table, counts = () => true }: FamilyTable,
): Promise<{ rows: number; people: number }> {
  let rows = 0
  const people = new Set<number>()
  for await (const page of source.pages(table))
    for (const row of page)
      if (counts(row)) {
        rows++
        people.add(whole(row, 'user_id'))
      }
  return { rows, people: people.size }
}

/** A table of another program or of a newer fork: its columns say whether it may be about money or access. */
async function guessTable(source: Source, table: string): Promise<ImportLoss> {
  const names = [table, ...(source.tables.get(table) ?? [])]
  const weight = names.map((name) => estimateWeight(name, undefined)).find((guess) => guess !== undefined)
  const rows = await source.count(table)
  return { table, name: '', rows, weight, consequence: weight ? describeGuess(weight) : '' }
}
