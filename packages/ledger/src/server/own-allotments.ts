import type { AllotmentAnswer, AllotmentQuestion } from '../core/storage.ts'
import { allotmentTable, journalTable } from '../rows/tables.ts'
import type { Instance } from './instance.ts'
import type { Statements } from './statements.ts'

/** On the connection for writing, because another one may lead to a copy of the database that is behind. */
export async function readAllotmentsOf(
  instance: Pick<Instance, 'ask'>,
  statements: Statements,
  { accounts, fileId, instanceId }: AllotmentQuestion & { readonly instanceId: string },
): Promise<AllotmentAnswer> {
  const journals = await instance.ask(statements.lockJournals, [statements.list([fileId])])
  const [journal] = journals.rows.map((row) => journalTable.decode(row))
  const { rows } = await instance.ask(statements.readAllotments, [statements.list(accounts)])
  const own = rows.map((row) => allotmentTable.decode(row)).filter((row) => row.instanceId === instanceId)
  return { position: journal?.position ?? 0, rows: own }
}
