import { statementRoutes } from '@tollgate/contract/statement'
import { api } from '../../../shared/api/client.ts'
import { saveFile } from '../../../shared/download/save-file.ts'

/** Byte order mark; spreadsheet programs need it to recognise UTF-8 and display Chinese correctly. */
const UTF8_MARK = '\uFEFF'

/** Saves every ledger entry of a month as a file. The server returns it in parts. */
export async function saveStatement(month: string): Promise<void> {
  const parts: string[] = []
  let name = ''
  let afterId = 0
  do {
    const part = await api.call(statementRoutes.csv, { query: { month, after_id: afterId } })
    parts.push(part.csv)
    name = part.file_name
    afterId = part.next_after_id
  } while (afterId !== 0)
  saveFile({ name, content: new Blob([UTF8_MARK, ...parts], { type: 'text/csv' }) })
}
