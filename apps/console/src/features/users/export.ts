import { adminUserRoutes } from '@tollgate/contract/admin-user'
import { api } from '../../shared/api/client.ts'
import { saveFile } from '../../shared/download/save-file.ts'
import type { UserSearch } from './search.ts'

/** Exports all users that match the filters to a file written by the server; resolves to the file's name. */
export async function exportUsers({ keyword, group, role, status }: UserSearch): Promise<string> {
  const file = await api.callFile(adminUserRoutes.export, { query: { keyword, group, role, status } })
  saveFile(file)
  return file.name
}
