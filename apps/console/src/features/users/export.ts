import { adminUserRoutes } from '@tollgate/contract/admin-user'
import { api } from '../../shared/api/client.ts'
import { saveFile } from '../../shared/download/save-file.ts'
import type { UserSearch } from './search.ts'

/** Everybody the filters match, as a file the server writes; resolves with its name. */
export async function exportUsers({ keyword, group, role, status }: UserSearch): Promise<string> {
  const file = await api.callFile(adminUserRoutes.export, { query: { keyword, group, role, status } })
  saveFile(file)
  return file.name
}
