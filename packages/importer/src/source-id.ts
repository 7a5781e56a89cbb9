import { sha256Hex } from '@tollgate/kit/ids'
import { text, whole } from './cell.ts'
import type { Source, SourceRow } from './source.ts'

const CHARACTERS = 12

/**
 * Names the installation whose database this is: the same for a copy of it, also in another engine, and another one for
 * every other installation. It is made of what does not change: when it was set up, its first user and its first token.
 */
export async function identifySource(source: Source): Promise<string> {
  const setup = await firstRow(source, 'setups')
  const user = await firstRow(source, 'users')
  const token = await firstRow(source, 'tokens')
  const marks = [whole(setup, 'initialized_at'), whole(user, 'id'), whole(token, 'id'), text(token, 'key')]
  return sha256Hex(marks.join('\n')).slice(0, CHARACTERS)
}

async function firstRow(source: Source, table: string): Promise<SourceRow> {
  for await (const [row] of source.pages(table, { rowsMax: 1 })) return row ?? {}
  return {}
}
