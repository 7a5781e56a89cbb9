import { sha256Hex } from '@tollgate/kit/ids'
import { text, whole } from './cell.ts'
import type { Source, SourceRow } from './source.ts'

const CHARACTERS = 12

/**
 * Returns an id for the installation that the database belongs to. A copy has the same id, even in another
 * engine; every other installation has a different one. The id is made of facts that do not change: the setup
 * time, the first user and the first token.
 */
export async function identifySource(source: Source): Promise<string> {
  const setup = await firstRow(source, 'setups')
  const user = await firstRow(source, 'users')
  const token = await firstRow(source, 'tokens')
  const marks = [whole(setup, 'initialized_at'), whole(user, 'id'), whole(token, 'id'), text(token, 'key')]
  if (source.mark !== undefined) marks.push(source.mark)
  return sha256Hex(marks.join('\n')).slice(0, CHARACTERS)
}

async function firstRow(source: Source, table: string): Promise<SourceRow> {
  for await (const [row] of source.pages(table, { rowsMax: 1 })) return row ?? {}
  return {}
}
