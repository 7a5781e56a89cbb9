import { adminUserRoutes } from '@tollgate/contract/admin-user'
import { api } from '../../shared/api/client.ts'
import { saveTextFile } from '../../shared/download/save-text-file.ts'
import type { UserSearch } from './search.ts'

/** Everybody the filters match as a file. The server writes it part by part; resolves with the number of users in it. */
export async function exportUsers({ keyword, group, role, status }: UserSearch): Promise<number> {
  const filters = { keyword, group, role, status }
  const parts: string[] = []
  let rows = 0
  let name = ''
  let beforeId: number | undefined
  do {
    const query = { ...filters, ...(beforeId !== undefined && { before_id: beforeId }) }
    const part = await api.call(adminUserRoutes.export, { query })
    parts.push(part.csv)
    rows += part.rows
    name = part.file_name
    beforeId = part.next_before_id
  } while (beforeId !== 0)
  saveTextFile({ name, type: 'text/csv', parts })
  return rows
}
